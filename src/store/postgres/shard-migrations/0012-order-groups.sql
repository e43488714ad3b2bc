-- Order groups.
CREATE TABLE order_groups (
  serial BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  operator_number BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  limit_shares BIGINT NOT NULL,
  window_ms BIGINT NOT NULL,
  status SMALLINT NOT NULL,
  generation BIGINT NOT NULL,
  cancel_up_to BIGINT NOT NULL
) WITH (fillfactor = 70);

-- What was filled of a group, by time. A slot is used again once its entry has left the window;
-- entries of an earlier generation of the group do not count.
CREATE TABLE order_group_fills (
  group_serial BIGINT NOT NULL,
  slot BIGINT NOT NULL,
  generation BIGINT NOT NULL,
  filled_at BIGINT NOT NULL,
  shares BIGINT NOT NULL,
  PRIMARY KEY (group_serial, slot)
) WITH (fillfactor = 70);

-- The group of each order that is in one.
CREATE TABLE order_group_orders (
  order_serial BIGINT PRIMARY KEY,
  group_serial BIGINT NOT NULL,
  group_created_at BIGINT NOT NULL
);
