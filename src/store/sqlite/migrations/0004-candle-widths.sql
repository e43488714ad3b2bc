-- Candles of every interval that can be asked for, so that a year of days is read as 365 rows. The
-- width is in minutes; a candle starts at a minute since 1970 that its width divides.
CREATE TABLE wide_candles (
  outcome INTEGER NOT NULL,
  width INTEGER NOT NULL,
  minute INTEGER NOT NULL,
  open INTEGER NOT NULL,
  high INTEGER NOT NULL,
  low INTEGER NOT NULL,
  close INTEGER NOT NULL,
  shares INTEGER NOT NULL,
  trades INTEGER NOT NULL,
  PRIMARY KEY (outcome, width, minute)
) STRICT, WITHOUT ROWID;

INSERT INTO wide_candles (outcome, width, minute, open, high, low, close, shares, trades)
SELECT made.outcome, width, start, first.open, made.high, made.low, last.close, made.shares,
  made.trades
FROM (
  SELECT outcome, column1 AS width, minute - minute % column1 AS start,
    min(minute) AS first_minute, max(minute) AS last_minute, max(high) AS high, min(low) AS low, sum(shares) AS shares,
    sum(trades) AS trades
  FROM candles, (VALUES (1), (5), (60), (1440)) GROUP BY 1, 2, 3
) AS made
JOIN candles AS first ON first.outcome = made.outcome AND first.minute = first_minute
JOIN candles AS last ON last.outcome = made.outcome AND last.minute = last_minute;

DROP TABLE candles;
ALTER TABLE wide_candles RENAME TO candles;
