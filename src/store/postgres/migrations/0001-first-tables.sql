-- The same tables as on SQLite. Serials are primary keys; operators go by number, words chosen from
-- a list by their place in it, times are Unix milliseconds. 0 stands for "none" where a time or
-- price may be missing. Sums are NUMERIC: they may pass 64 bits. Lists are read by serial, so most
-- indexes end with it.

CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value BIGINT NOT NULL
);

-- The owner is the service that holds the shard, until its lease runs out by this server's clock.
CREATE TABLE shards (
  shard BIGINT PRIMARY KEY,
  epoch BIGINT NOT NULL,
  engine_version BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  last_serial BIGINT NOT NULL,
  now BIGINT NOT NULL,
  batch_id TEXT NOT NULL,
  hash BYTEA NOT NULL,
  owner TEXT NOT NULL,
  lease_until TIMESTAMPTZ NOT NULL
);

-- One row per turn, the hash of each made from the one before.
CREATE TABLE batches (
  batch BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  shard BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  seq_from BIGINT NOT NULL,
  seq_to BIGINT NOT NULL,
  batch_id TEXT NOT NULL,
  hash BYTEA NOT NULL,
  now BIGINT NOT NULL,
  UNIQUE (shard, seq_from)
);

-- Filled and emptied to find out whether there is room.
CREATE TABLE probes (filling BYTEA NOT NULL);

CREATE TABLE operators (
  id TEXT NOT NULL UNIQUE,
  number BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  supported_currencies TEXT NOT NULL,
  fee_rate BIGINT,
  is_active SMALLINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  label TEXT,
  scopes TEXT NOT NULL,
  prefix TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  expires_at BIGINT,
  created_at BIGINT NOT NULL
);

CREATE TABLE categories (
  id TEXT PRIMARY KEY,
  operator_id TEXT REFERENCES operators (id),
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  description TEXT,
  icon_url TEXT,
  is_active SMALLINT NOT NULL,
  sort_order DOUBLE PRECISION NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX categories_by_slug ON categories (coalesce(operator_id, ''), slug);

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  url TEXT NOT NULL,
  sealed_secret TEXT NOT NULL,
  events TEXT NOT NULL,
  is_active SMALLINT NOT NULL,
  description TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

-- Where each active webhook stands: all of its deliveries up to this sequence are over.
CREATE TABLE webhook_cursors (
  webhook_id TEXT PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  sequence BIGINT NOT NULL
);

CREATE TABLE markets (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  owner BIGINT NOT NULL,
  currency TEXT NOT NULL,
  is_shared SMALLINT NOT NULL,
  has_complete_set_matching SMALLINT NOT NULL,
  status SMALLINT NOT NULL,
  title TEXT NOT NULL,
  -- The title in small letters, of all alphabets: what is searched.
  folded_title TEXT NOT NULL,
  description TEXT,
  image_url TEXT,
  category_id TEXT,
  metadata TEXT,
  trading_starts_at BIGINT NOT NULL,
  trading_ends_at BIGINT NOT NULL,
  resolution TEXT
);
CREATE INDEX markets_by_owner ON markets (owner, serial);
CREATE INDEX markets_shared ON markets (serial) WHERE is_shared = 1;
-- Neither SETTLED nor CANCELLED.
CREATE INDEX markets_live ON markets (serial) WHERE status < 6;

CREATE TABLE market_counters (
  market BIGINT PRIMARY KEY,
  volume NUMERIC NOT NULL,
  trade_count BIGINT NOT NULL,
  sets_minted NUMERIC NOT NULL,
  sets_redeemed NUMERIC NOT NULL
);

CREATE TABLE outcomes (
  serial BIGINT PRIMARY KEY,
  market BIGINT NOT NULL,
  place BIGINT NOT NULL,
  name TEXT NOT NULL,
  description TEXT
);
CREATE UNIQUE INDEX outcomes_by_market ON outcomes (market, place);

CREATE TABLE books (
  outcome BIGINT PRIMARY KEY,
  version BIGINT NOT NULL,
  last_price BIGINT NOT NULL
);

-- The width is in minutes; a candle starts at a minute since 1970 that its width divides.
CREATE TABLE candles (
  outcome BIGINT NOT NULL,
  width BIGINT NOT NULL,
  minute BIGINT NOT NULL,
  open BIGINT NOT NULL,
  high BIGINT NOT NULL,
  low BIGINT NOT NULL,
  close BIGINT NOT NULL,
  shares BIGINT NOT NULL,
  trades BIGINT NOT NULL,
  PRIMARY KEY (outcome, width, minute)
);

-- In the order in which they came.
CREATE TABLE guests (
  guest BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  market BIGINT NOT NULL,
  operator BIGINT NOT NULL,
  UNIQUE (market, operator)
);

CREATE TABLE runs (
  market BIGINT PRIMARY KEY,
  is_done SMALLINT NOT NULL,
  run TEXT NOT NULL
);
CREATE INDEX runs_going ON runs (market) WHERE is_done = 0;

-- Rows that change in place find room on their page, and their indexes stay as they are.
CREATE TABLE orders (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  queue_serial BIGINT NOT NULL,
  market BIGINT NOT NULL,
  outcome BIGINT NOT NULL,
  operator BIGINT NOT NULL,
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
CREATE INDEX orders_by_operator ON orders (operator, serial);
CREATE INDEX orders_by_market ON orders (operator, market, serial);
CREATE INDEX orders_by_player ON orders (operator, player_id, serial);
CREATE INDEX orders_by_transaction ON orders (operator, transaction_id, serial)
  WHERE transaction_id IS NOT NULL;
-- PENDING and PARTIAL.
CREATE INDEX orders_open ON orders (operator, serial) WHERE status <= 1;
CREATE INDEX orders_open_by_player ON orders (operator, player_id, serial) WHERE status <= 1;

CREATE TABLE sets (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  market BIGINT NOT NULL,
  operator BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  is_redeem SMALLINT NOT NULL,
  shares BIGINT NOT NULL,
  transaction_id TEXT,
  fingerprint BIGINT NOT NULL
);
CREATE INDEX sets_by_market ON sets (market, operator, serial);
CREATE INDEX sets_by_transaction ON sets (operator, transaction_id, serial)
  WHERE transaction_id IS NOT NULL;

CREATE TABLE trades (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  market BIGINT NOT NULL,
  outcome BIGINT NOT NULL,
  buy_order BIGINT NOT NULL,
  buy_order_created_at BIGINT NOT NULL,
  sell_order BIGINT NOT NULL,
  sell_order_created_at BIGINT NOT NULL,
  buyer BIGINT NOT NULL,
  seller BIGINT NOT NULL,
  price BIGINT NOT NULL,
  shares BIGINT NOT NULL,
  buyer_fee BIGINT NOT NULL,
  seller_fee BIGINT NOT NULL,
  is_sell_incoming SMALLINT NOT NULL,
  kind SMALLINT NOT NULL
);
CREATE INDEX trades_by_buyer ON trades (buyer, serial);
CREATE INDEX trades_by_seller ON trades (seller, serial);
CREATE INDEX trades_by_market ON trades (market, serial);
CREATE INDEX trades_by_outcome ON trades (outcome, serial);

CREATE TABLE positions (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  market BIGINT NOT NULL,
  outcome BIGINT NOT NULL,
  operator BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  shares BIGINT NOT NULL,
  reserved BIGINT NOT NULL,
  cost NUMERIC NOT NULL,
  profit NUMERIC NOT NULL
) WITH (fillfactor = 85);
CREATE INDEX positions_by_operator ON positions (operator, serial);
CREATE INDEX positions_by_player ON positions (operator, player_id, serial);
CREATE INDEX positions_by_market ON positions (market, operator, serial);

-- A position is settled once.
CREATE TABLE settlements (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  position_serial BIGINT NOT NULL UNIQUE,
  position_created_at BIGINT NOT NULL,
  market BIGINT NOT NULL,
  outcome BIGINT NOT NULL,
  operator BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  shares BIGINT NOT NULL,
  payout_per_share BIGINT NOT NULL,
  status SMALLINT NOT NULL,
  transaction_id TEXT,
  error_message TEXT
);
CREATE INDEX settlements_by_operator ON settlements (operator, serial);
CREATE INDEX settlements_by_player ON settlements (operator, player_id, serial);
CREATE INDEX settlements_by_market ON settlements (market, operator, serial);
CREATE INDEX settlements_failed ON settlements (market, serial) WHERE status = 3;

CREATE TABLE tellings (
  operator BIGINT NOT NULL,
  first_sequence BIGINT NOT NULL,
  last_sequence BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  market BIGINT NOT NULL,
  market_created_at BIGINT NOT NULL,
  types BIGINT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (operator, first_sequence)
);

CREATE INDEX tellings_by_market ON tellings (operator, market, first_sequence);

-- Which types are told of in each run of 1024 sequences: whoever asks for a rare one need not read
-- through all the others. A row belongs to the chunk of its first sequence.
CREATE TABLE telling_chunks (
  operator BIGINT NOT NULL,
  chunk BIGINT NOT NULL,
  types BIGINT NOT NULL,
  PRIMARY KEY (operator, chunk)
) WITH (fillfactor = 50);

CREATE TABLE sequences (
  operator BIGINT PRIMARY KEY,
  sequence BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE tallies (
  operator BIGINT NOT NULL,
  market BIGINT NOT NULL,
  orders BIGINT NOT NULL,
  trades BIGINT NOT NULL,
  PRIMARY KEY (operator, market)
) WITH (fillfactor = 50);

-- Where a text stands in another, by SQLite's name for it: both are asked in the same words.
CREATE FUNCTION instr(TEXT, TEXT) RETURNS INTEGER
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN strpos($1, $2);
