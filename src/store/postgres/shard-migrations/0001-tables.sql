-- The tables of a new shard, in its schema. They are those that step 0007 of the home schema moves to
-- the schema of shard 0. A column is the snake case of its field in rows.ts; words of a list are
-- stored by their place in it, times as Unix milliseconds. 0 means none where a time or a price may
-- be missing. Sums are NUMERIC, because they may need more than 64 bits.

-- One row. The owner is the service that holds the shard until its lease ends by the clock of this
-- server. Every turn changes the row; most of its page is free, so that the new version fits there.
CREATE TABLE head (
  shard BIGINT PRIMARY KEY,
  epoch BIGINT NOT NULL,
  engine_version BIGINT NOT NULL,
  command_sequence BIGINT NOT NULL,
  last_serial BIGINT NOT NULL,
  now BIGINT NOT NULL,
  batch_id TEXT NOT NULL,
  hash BYTEA NOT NULL,
  owner TEXT NOT NULL,
  lease_until TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 20);

-- One row per turn, the hash of each made from the one before.
CREATE TABLE batches (
  batch BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  shard BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  command_sequence_from BIGINT NOT NULL,
  command_sequence_to BIGINT NOT NULL,
  batch_id TEXT NOT NULL,
  hash BYTEA NOT NULL,
  now BIGINT NOT NULL,
  UNIQUE (shard, command_sequence_from)
);

-- Filled and emptied to find out whether the disk has space.
CREATE TABLE probes (filling BYTEA NOT NULL);

-- The event up to which all deliveries of a webhook have ended.
CREATE TABLE webhook_cursors (
  webhook_id TEXT PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  event_sequence BIGINT NOT NULL
);

CREATE TABLE markets (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  owner_number BIGINT NOT NULL,
  currency TEXT NOT NULL,
  is_shared SMALLINT NOT NULL,
  has_complete_set_matching SMALLINT NOT NULL,
  status SMALLINT NOT NULL,
  title TEXT NOT NULL,
  -- The title in lower case, of all alphabets, for the search.
  folded_title TEXT NOT NULL,
  description TEXT,
  image_url TEXT,
  category_id TEXT,
  metadata TEXT,
  trading_starts_at BIGINT NOT NULL,
  trading_ends_at BIGINT NOT NULL,
  resolution TEXT
);
CREATE INDEX markets_by_owner ON markets (owner_number, serial);
CREATE INDEX markets_shared ON markets (serial) WHERE is_shared = 1;
-- Neither SETTLED nor CANCELLED.
CREATE INDEX markets_live ON markets (serial) WHERE status < 6;

CREATE TABLE market_counters (
  market_serial BIGINT PRIMARY KEY,
  volume NUMERIC NOT NULL,
  trade_count BIGINT NOT NULL,
  sets_minted NUMERIC NOT NULL,
  sets_redeemed NUMERIC NOT NULL
);

CREATE TABLE outcomes (
  serial BIGINT PRIMARY KEY,
  market_serial BIGINT NOT NULL,
  place BIGINT NOT NULL,
  name TEXT NOT NULL,
  description TEXT
);
CREATE UNIQUE INDEX outcomes_by_market ON outcomes (market_serial, place);

CREATE TABLE books (
  outcome_serial BIGINT PRIMARY KEY,
  version BIGINT NOT NULL,
  last_price BIGINT NOT NULL
);

-- The width is in minutes; a candle starts at a minute since 1970 that its width divides.
CREATE TABLE candles (
  outcome_serial BIGINT NOT NULL,
  width BIGINT NOT NULL,
  minute BIGINT NOT NULL,
  open BIGINT NOT NULL,
  high BIGINT NOT NULL,
  low BIGINT NOT NULL,
  close BIGINT NOT NULL,
  shares BIGINT NOT NULL,
  trades BIGINT NOT NULL,
  PRIMARY KEY (outcome_serial, width, minute)
);

-- In the order in which they have joined the market.
CREATE TABLE participants (
  participant BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  market_serial BIGINT NOT NULL,
  operator_number BIGINT NOT NULL,
  UNIQUE (market_serial, operator_number)
);

CREATE TABLE jobs (
  market_serial BIGINT PRIMARY KEY,
  is_done SMALLINT NOT NULL,
  job TEXT NOT NULL
);
CREATE INDEX jobs_unfinished ON jobs (market_serial) WHERE is_done = 0;

-- A part of each page is free, so that a changed row fits there and its index entries can stay.
CREATE TABLE orders (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  queue_serial BIGINT NOT NULL,
  market_serial BIGINT NOT NULL,
  outcome_serial BIGINT NOT NULL,
  operator_number BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  is_sell SMALLINT NOT NULL,
  shares BIGINT NOT NULL,
  price BIGINT NOT NULL,
  filled BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  status SMALLINT NOT NULL,
  expires_at BIGINT NOT NULL,
  options BIGINT NOT NULL,
  transaction_id TEXT,
  fingerprint BIGINT NOT NULL
) WITH (fillfactor = 85);
CREATE INDEX orders_by_operator ON orders (operator_number, serial);
CREATE INDEX orders_by_market ON orders (operator_number, market_serial, serial);
CREATE INDEX orders_by_player ON orders (operator_number, player_id, serial);
CREATE INDEX orders_by_transaction ON orders (operator_number, transaction_id, serial)
  WHERE transaction_id IS NOT NULL;
-- PENDING and PARTIAL.
CREATE INDEX orders_open ON orders (operator_number, serial) WHERE status <= 1;
CREATE INDEX orders_open_by_player ON orders (operator_number, player_id, serial) WHERE status <= 1;

CREATE TABLE sets (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  market_serial BIGINT NOT NULL,
  operator_number BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  is_redeem SMALLINT NOT NULL,
  shares BIGINT NOT NULL,
  transaction_id TEXT,
  fingerprint BIGINT NOT NULL
);
CREATE INDEX sets_by_market ON sets (market_serial, operator_number, serial);
CREATE INDEX sets_by_transaction ON sets (operator_number, transaction_id, serial)
  WHERE transaction_id IS NOT NULL;

CREATE TABLE trades (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  market_serial BIGINT NOT NULL,
  outcome_serial BIGINT NOT NULL,
  buy_order_serial BIGINT NOT NULL,
  buy_order_created_at BIGINT NOT NULL,
  sell_order_serial BIGINT NOT NULL,
  sell_order_created_at BIGINT NOT NULL,
  buyer_number BIGINT NOT NULL,
  seller_number BIGINT NOT NULL,
  price BIGINT NOT NULL,
  shares BIGINT NOT NULL,
  buyer_fee BIGINT NOT NULL,
  seller_fee BIGINT NOT NULL,
  is_sell_incoming SMALLINT NOT NULL,
  kind SMALLINT NOT NULL
);
CREATE INDEX trades_by_buyer ON trades (buyer_number, serial);
CREATE INDEX trades_by_seller ON trades (seller_number, serial);
CREATE INDEX trades_by_market ON trades (market_serial, serial);
CREATE INDEX trades_by_outcome ON trades (outcome_serial, serial);

CREATE TABLE positions (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  market_serial BIGINT NOT NULL,
  outcome_serial BIGINT NOT NULL,
  operator_number BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  shares BIGINT NOT NULL,
  reserved BIGINT NOT NULL,
  cost NUMERIC NOT NULL,
  profit NUMERIC NOT NULL
) WITH (fillfactor = 85);
CREATE INDEX positions_by_operator ON positions (operator_number, serial);
CREATE INDEX positions_by_player ON positions (operator_number, player_id, serial);
CREATE INDEX positions_by_market ON positions (market_serial, operator_number, serial);

-- A position is settled once.
CREATE TABLE settlements (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  position_serial BIGINT NOT NULL UNIQUE,
  position_created_at BIGINT NOT NULL,
  market_serial BIGINT NOT NULL,
  outcome_serial BIGINT NOT NULL,
  operator_number BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  shares BIGINT NOT NULL,
  payout_per_share BIGINT NOT NULL,
  status SMALLINT NOT NULL,
  transaction_id TEXT,
  error_message TEXT
);
CREATE INDEX settlements_by_operator ON settlements (operator_number, serial);
CREATE INDEX settlements_by_player ON settlements (operator_number, player_id, serial);
CREATE INDEX settlements_by_market ON settlements (market_serial, operator_number, serial);
CREATE INDEX settlements_failed ON settlements (market_serial, serial) WHERE status = 3;

CREATE TABLE event_records (
  operator_number BIGINT NOT NULL,
  first_sequence BIGINT NOT NULL,
  last_sequence BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  market_serial BIGINT NOT NULL,
  market_created_at BIGINT NOT NULL,
  types BIGINT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (operator_number, first_sequence)
);

CREATE INDEX event_records_by_market
ON event_records (operator_number, market_serial, first_sequence);

-- The types of the events in each chunk of 1024 sequences, so that a reader of a rare type can skip
-- the others. An event record belongs to the chunk of its first sequence.
CREATE TABLE event_chunks (
  operator_number BIGINT NOT NULL,
  chunk BIGINT NOT NULL,
  types BIGINT NOT NULL,
  PRIMARY KEY (operator_number, chunk)
) WITH (fillfactor = 50);

CREATE TABLE event_sequences (
  operator_number BIGINT PRIMARY KEY,
  event_sequence BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE tallies (
  operator_number BIGINT NOT NULL,
  market_serial BIGINT NOT NULL,
  orders BIGINT NOT NULL,
  trades BIGINT NOT NULL,
  PRIMARY KEY (operator_number, market_serial)
) WITH (fillfactor = 50);

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

CREATE INDEX trades_by_buy_order ON trades (buy_order_serial, serial) WHERE buyer_number <> 0;
CREATE INDEX trades_by_sell_order ON trades (sell_order_serial, serial) WHERE seller_number <> 0;

CREATE VIEW trades_of_order AS
SELECT buy_order_serial AS key_order_serial, serial AS key_serial, * FROM trades
WHERE buyer_number <> 0
UNION ALL
SELECT sell_order_serial, serial, * FROM trades WHERE seller_number <> 0;

CREATE INDEX orders_open_by_side
ON orders (operator_number, is_sell, market_serial, outcome_serial, serial) WHERE status <= 1;

CREATE VIEW open_orders_of_side AS
SELECT operator_number AS key_operator_number, is_sell AS key_is_sell,
  market_serial AS key_market_serial, outcome_serial AS key_outcome_serial, serial AS key_serial
FROM orders WHERE status <= 1;
