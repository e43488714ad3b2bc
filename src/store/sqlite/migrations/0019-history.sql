-- The id of the store's history, a random UUID: a database that was restored gets another one, so
-- that callers who follow events notice. The start draws it (history.ts).
CREATE TABLE history (
  is_only_row INTEGER PRIMARY KEY CHECK (is_only_row = 1),
  id TEXT NOT NULL
) STRICT;
