-- The first tables. Serials are primary keys; operators go by number, words chosen from a list by
-- their place in it, times are Unix milliseconds. 0 stands for "none" where a time or price may be
-- missing. Sums are ANY: an integer, or a decimal text past 2^53, which INTEGER would make a float.
-- An index without the serial still gives its rows by serial: every index entry ends with it.

CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE shards (
  shard INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL,
  engine_version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  last_serial INTEGER NOT NULL,
  now INTEGER NOT NULL,
  batch_id TEXT NOT NULL,
  hash BLOB NOT NULL
) STRICT;

-- One row per turn, the hash of each made from the one before.
CREATE TABLE batches (
  batch INTEGER PRIMARY KEY,
  shard INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  seq_from INTEGER NOT NULL,
  seq_to INTEGER NOT NULL,
  batch_id TEXT NOT NULL,
  hash BLOB NOT NULL,
  now INTEGER NOT NULL
) STRICT;

-- Filled and emptied to find out whether there is room.
CREATE TABLE probes (filling BLOB NOT NULL) STRICT;

CREATE TABLE operators (
  id TEXT NOT NULL UNIQUE,
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  supported_currencies TEXT NOT NULL,
  fee_rate INTEGER,
  is_active INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  label TEXT,
  scopes TEXT NOT NULL,
  prefix TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  expires_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE categories (
  id TEXT PRIMARY KEY,
  operator_id TEXT REFERENCES operators (id),
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  description TEXT,
  icon_url TEXT,
  is_active INTEGER NOT NULL,
  sort_order REAL NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX categories_by_slug ON categories (ifnull(operator_id, ''), slug);

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  url TEXT NOT NULL,
  sealed_secret TEXT NOT NULL,
  events TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE markets (
  serial INTEGER PRIMARY KEY,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  owner INTEGER NOT NULL,
  currency TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  has_complete_set_matching INTEGER NOT NULL,
  status INTEGER NOT NULL,
  title TEXT NOT NULL,
  -- The title in small letters, of all alphabets: what is searched.
  folded_title TEXT NOT NULL,
  description TEXT,
  image_url TEXT,
  category_id TEXT,
  metadata TEXT,
  trading_starts_at INTEGER NOT NULL,
  trading_ends_at INTEGER NOT NULL,
  resolution TEXT
) STRICT;
CREATE INDEX markets_by_owner ON markets (owner);
CREATE INDEX markets_shared ON markets (is_shared) WHERE is_shared = 1;
-- Neither SETTLED nor CANCELLED.
CREATE INDEX markets_live ON markets (serial) WHERE status < 6;

CREATE TABLE market_counters (
  market INTEGER PRIMARY KEY,
  volume ANY NOT NULL,
  trade_count INTEGER NOT NULL,
  sets_minted ANY NOT NULL,
  sets_redeemed ANY NOT NULL
) STRICT;

CREATE TABLE outcomes (
  serial INTEGER PRIMARY KEY,
  market INTEGER NOT NULL,
  place INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT
) STRICT;
CREATE UNIQUE INDEX outcomes_by_market ON outcomes (market, place);

CREATE TABLE books (
  outcome INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  last_price INTEGER NOT NULL
) STRICT;

CREATE TABLE candles (
  outcome INTEGER NOT NULL,
  minute INTEGER NOT NULL,
  open INTEGER NOT NULL,
  high INTEGER NOT NULL,
  low INTEGER NOT NULL,
  close INTEGER NOT NULL,
  shares INTEGER NOT NULL,
  trades INTEGER NOT NULL,
  PRIMARY KEY (outcome, minute)
) STRICT, WITHOUT ROWID;

-- In the order in which they came.
CREATE TABLE guests (
  guest INTEGER PRIMARY KEY,
  market INTEGER NOT NULL,
  operator INTEGER NOT NULL,
  UNIQUE (market, operator)
) STRICT;

CREATE TABLE runs (
  market INTEGER PRIMARY KEY,
  is_done INTEGER NOT NULL,
  run TEXT NOT NULL
) STRICT;
CREATE INDEX runs_going ON runs (market) WHERE is_done = 0;

CREATE TABLE orders (
  serial INTEGER PRIMARY KEY,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  queue_serial INTEGER NOT NULL,
  market INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  operator INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  is_sell INTEGER NOT NULL,
  shares INTEGER NOT NULL,
  price INTEGER NOT NULL,
  filled INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  status INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  transaction_id TEXT,
  fingerprint INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_by_operator ON orders (operator);
CREATE INDEX orders_by_market ON orders (operator, market);
CREATE INDEX orders_by_player ON orders (operator, player_id);
CREATE INDEX orders_by_transaction ON orders (operator, transaction_id)
  WHERE transaction_id IS NOT NULL;
-- PENDING and PARTIAL.
CREATE INDEX orders_open ON orders (operator) WHERE status <= 1;

CREATE TABLE sets (
  serial INTEGER PRIMARY KEY,
  created_at INTEGER NOT NULL,
  market INTEGER NOT NULL,
  operator INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  is_redeem INTEGER NOT NULL,
  shares INTEGER NOT NULL,
  transaction_id TEXT,
  fingerprint INTEGER NOT NULL
) STRICT;
CREATE INDEX sets_by_market ON sets (operator, market);
CREATE INDEX sets_by_transaction ON sets (operator, transaction_id)
  WHERE transaction_id IS NOT NULL;

CREATE TABLE trades (
  serial INTEGER PRIMARY KEY,
  created_at INTEGER NOT NULL,
  market INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  buy_order INTEGER NOT NULL,
  buy_order_created_at INTEGER NOT NULL,
  sell_order INTEGER NOT NULL,
  sell_order_created_at INTEGER NOT NULL,
  buyer INTEGER NOT NULL,
  seller INTEGER NOT NULL,
  price INTEGER NOT NULL,
  shares INTEGER NOT NULL,
  buyer_fee INTEGER NOT NULL,
  seller_fee INTEGER NOT NULL,
  is_sell_incoming INTEGER NOT NULL
) STRICT;
CREATE INDEX trades_by_buyer ON trades (buyer);
CREATE INDEX trades_by_seller ON trades (seller);
CREATE INDEX trades_by_market ON trades (market);
CREATE INDEX trades_by_outcome ON trades (outcome);

CREATE TABLE positions (
  serial INTEGER PRIMARY KEY,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  market INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  operator INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  shares INTEGER NOT NULL,
  reserved INTEGER NOT NULL,
  cost ANY NOT NULL,
  profit ANY NOT NULL
) STRICT;
CREATE INDEX positions_by_operator ON positions (operator);
CREATE INDEX positions_by_player ON positions (operator, player_id);
CREATE INDEX positions_by_market ON positions (market, operator);

-- A position is settled once.
CREATE TABLE settlements (
  serial INTEGER PRIMARY KEY,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  position_serial INTEGER NOT NULL UNIQUE,
  position_created_at INTEGER NOT NULL,
  market INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  operator INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  shares INTEGER NOT NULL,
  payout_per_share INTEGER NOT NULL,
  status INTEGER NOT NULL,
  transaction_id TEXT,
  error_message TEXT
) STRICT;
CREATE INDEX settlements_by_operator ON settlements (operator);
CREATE INDEX settlements_by_player ON settlements (operator, player_id);
CREATE INDEX settlements_by_market ON settlements (market, operator);
CREATE INDEX settlements_failed ON settlements (market) WHERE status = 3;

CREATE TABLE tellings (
  operator INTEGER NOT NULL,
  first_sequence INTEGER NOT NULL,
  last_sequence INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  market INTEGER NOT NULL,
  market_created_at INTEGER NOT NULL,
  types INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (operator, first_sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE sequences (
  operator INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL
) STRICT;

CREATE TABLE tallies (
  operator INTEGER NOT NULL,
  market INTEGER NOT NULL,
  orders INTEGER NOT NULL,
  trades INTEGER NOT NULL,
  PRIMARY KEY (operator, market)
) STRICT, WITHOUT ROWID;
