-- Of the orders by amount: the most that each spends, in micro-units, and what it has spent, with
-- fees, in units of 1e-10.
CREATE TABLE order_amounts (
  serial BIGINT PRIMARY KEY,
  amount BIGINT NOT NULL,
  spent BIGINT NOT NULL
);
