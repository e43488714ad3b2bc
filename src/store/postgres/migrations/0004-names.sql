-- Tables and columns get the names of the rows in rows.ts: a column is the snake case of its field.
-- A serial is called one, an operator goes by its number, and what was a telling, a guest or a run
-- is an event record, a participant or a job. Renaming is instant, whatever the size of a table. The
-- views are made anew, because the columns of a view do not follow those of its table.

DROP VIEW orders_of_operator;
DROP VIEW orders_of_market;
DROP VIEW orders_of_player;
DROP VIEW orders_of_transaction;
DROP VIEW open_orders;
DROP VIEW open_orders_of_player;
DROP VIEW trades_of_operator;
DROP VIEW trades_of_market;
DROP VIEW trades_of_outcome;

ALTER TABLE shards RENAME COLUMN seq TO command_sequence;
ALTER TABLE batches RENAME COLUMN seq_from TO command_sequence_from;
ALTER TABLE batches RENAME COLUMN seq_to TO command_sequence_to;

ALTER TABLE webhook_cursors RENAME COLUMN sequence TO event_sequence;

ALTER TABLE markets RENAME COLUMN owner TO owner_number;
ALTER TABLE market_counters RENAME COLUMN market TO market_serial;
ALTER TABLE outcomes RENAME COLUMN market TO market_serial;
ALTER TABLE books RENAME COLUMN outcome TO outcome_serial;
ALTER TABLE candles RENAME COLUMN outcome TO outcome_serial;

ALTER TABLE guests RENAME TO participants;
ALTER TABLE participants RENAME COLUMN guest TO participant;
ALTER TABLE participants RENAME COLUMN market TO market_serial;
ALTER TABLE participants RENAME COLUMN operator TO operator_number;
ALTER SEQUENCE guests_guest_seq RENAME TO participants_participant_seq;
ALTER INDEX guests_pkey RENAME TO participants_pkey;
ALTER INDEX guests_market_operator_key
  RENAME TO participants_market_serial_operator_number_key;

ALTER TABLE runs RENAME TO jobs;
ALTER TABLE jobs RENAME COLUMN market TO market_serial;
ALTER TABLE jobs RENAME COLUMN run TO job;
ALTER INDEX runs_pkey RENAME TO jobs_pkey;
ALTER INDEX runs_going RENAME TO jobs_unfinished;

ALTER TABLE orders RENAME COLUMN market TO market_serial;
ALTER TABLE orders RENAME COLUMN outcome TO outcome_serial;
ALTER TABLE orders RENAME COLUMN operator TO operator_number;

ALTER TABLE sets RENAME COLUMN market TO market_serial;
ALTER TABLE sets RENAME COLUMN operator TO operator_number;

ALTER TABLE trades RENAME COLUMN market TO market_serial;
ALTER TABLE trades RENAME COLUMN outcome TO outcome_serial;
ALTER TABLE trades RENAME COLUMN buy_order TO buy_order_serial;
ALTER TABLE trades RENAME COLUMN sell_order TO sell_order_serial;
ALTER TABLE trades RENAME COLUMN buyer TO buyer_number;
ALTER TABLE trades RENAME COLUMN seller TO seller_number;

ALTER TABLE positions RENAME COLUMN market TO market_serial;
ALTER TABLE positions RENAME COLUMN outcome TO outcome_serial;
ALTER TABLE positions RENAME COLUMN operator TO operator_number;

ALTER TABLE settlements RENAME COLUMN market TO market_serial;
ALTER TABLE settlements RENAME COLUMN outcome TO outcome_serial;
ALTER TABLE settlements RENAME COLUMN operator TO operator_number;

ALTER TABLE tellings RENAME TO event_records;
ALTER TABLE event_records RENAME COLUMN operator TO operator_number;
ALTER TABLE event_records RENAME COLUMN market TO market_serial;
ALTER INDEX tellings_pkey RENAME TO event_records_pkey;
ALTER INDEX tellings_by_market RENAME TO event_records_by_market;

ALTER TABLE telling_chunks RENAME TO event_chunks;
ALTER TABLE event_chunks RENAME COLUMN operator TO operator_number;
ALTER INDEX telling_chunks_pkey RENAME TO event_chunks_pkey;

ALTER TABLE sequences RENAME TO event_sequences;
ALTER TABLE event_sequences RENAME COLUMN operator TO operator_number;
ALTER TABLE event_sequences RENAME COLUMN sequence TO event_sequence;
ALTER INDEX sequences_pkey RENAME TO event_sequences_pkey;

ALTER TABLE tallies RENAME COLUMN operator TO operator_number;
ALTER TABLE tallies RENAME COLUMN market TO market_serial;

-- The columns of a view that begin with `key_` are those of the index that finds its rows.

CREATE VIEW orders_of_operator AS
SELECT operator_number AS key_operator_number, serial AS key_serial, * FROM orders;

CREATE VIEW orders_of_market AS
SELECT operator_number AS key_operator_number, market_serial AS key_market_serial,
  serial AS key_serial, *
FROM orders;

CREATE VIEW orders_of_player AS
SELECT operator_number AS key_operator_number, player_id AS key_player_id, serial AS key_serial, *
FROM orders;

CREATE VIEW orders_of_transaction AS
SELECT operator_number AS key_operator_number, transaction_id AS key_transaction_id,
  serial AS key_serial, *
FROM orders WHERE transaction_id IS NOT NULL;

CREATE VIEW open_orders AS
SELECT operator_number AS key_operator_number, serial AS key_serial, * FROM orders
WHERE status <= 1;

CREATE VIEW open_orders_of_player AS
SELECT operator_number AS key_operator_number, player_id AS key_player_id, serial AS key_serial, *
FROM orders WHERE status <= 1;

CREATE VIEW trades_of_operator AS
SELECT buyer_number AS key_operator_number, serial AS key_serial, * FROM trades
UNION ALL
SELECT seller_number, serial, * FROM trades WHERE seller_number <> buyer_number;

CREATE VIEW trades_of_market AS
SELECT market_serial AS key_market_serial, serial AS key_serial, * FROM trades;

CREATE VIEW trades_of_outcome AS
SELECT outcome_serial AS key_outcome_serial, serial AS key_serial, * FROM trades;
