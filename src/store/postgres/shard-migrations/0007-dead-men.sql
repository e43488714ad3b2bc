-- Dead-man switches; the empty player stands for the whole operator.
CREATE TABLE dead_men (
  operator_number BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  timeout_ms BIGINT NOT NULL,
  deadline BIGINT NOT NULL,
  state SMALLINT NOT NULL,
  cancel_up_to BIGINT NOT NULL,
  PRIMARY KEY (operator_number, player_id)
) WITH (fillfactor = 70);
