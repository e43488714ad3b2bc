-- Dead-man switches; the empty player stands for the whole operator.
CREATE TABLE dead_men (
  operator_number INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  timeout_ms INTEGER NOT NULL,
  deadline INTEGER NOT NULL,
  state INTEGER NOT NULL,
  cancel_up_to INTEGER NOT NULL,
  PRIMARY KEY (operator_number, player_id)
) STRICT, WITHOUT ROWID;
