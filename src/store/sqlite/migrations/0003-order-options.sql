-- What an order asked for beside its terms, and how a trade came about. 0 is the usual for both.
ALTER TABLE orders ADD COLUMN options INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trades ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
