-- Order groups.
CREATE TABLE order_groups (
  serial INTEGER PRIMARY KEY,
  created_at INTEGER NOT NULL,
  operator_number INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  limit_shares INTEGER NOT NULL,
  window_ms INTEGER NOT NULL,
  status INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  cancel_up_to INTEGER NOT NULL
) STRICT;

-- What was filled of a group, by time. A slot is used again once its entry has left the window;
-- entries of an earlier generation of the group do not count.
CREATE TABLE order_group_fills (
  group_serial INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  filled_at INTEGER NOT NULL,
  shares INTEGER NOT NULL,
  PRIMARY KEY (group_serial, slot)
) STRICT, WITHOUT ROWID;

-- The group of each order that is in one.
CREATE TABLE order_group_orders (
  order_serial INTEGER PRIMARY KEY,
  group_serial INTEGER NOT NULL,
  group_created_at INTEGER NOT NULL
) STRICT;
