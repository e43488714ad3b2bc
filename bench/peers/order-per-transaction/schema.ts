// The tables and statements of the peer. Quantities are whole numbers in the steps of the core.
// Counters belong to the outcome and not the market, so that two outcomes never wait for the same
// row. Tables whose rows change often have a low fillfactor, so that an update touches no index.

export const schema = `
CREATE TABLE operators (
  id uuid PRIMARY KEY, name text NOT NULL, api_key text NOT NULL UNIQUE, fee_rate int NOT NULL
);
CREATE TABLE markets (
  id uuid PRIMARY KEY, operator_id uuid NOT NULL REFERENCES operators, title text NOT NULL,
  status text NOT NULL, starts_at timestamptz, ends_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE TABLE outcomes (
  id uuid PRIMARY KEY, market_id uuid NOT NULL REFERENCES markets, index int NOT NULL,
  name text NOT NULL, version bigint NOT NULL DEFAULT 0, volume bigint NOT NULL DEFAULT 0,
  trades bigint NOT NULL DEFAULT 0, last_price int
) WITH (fillfactor = 10);
CREATE TABLE orders (
  id uuid PRIMARY KEY, seq bigint GENERATED ALWAYS AS IDENTITY, market_id uuid NOT NULL,
  outcome_id uuid NOT NULL, operator_id uuid NOT NULL, player_id text NOT NULL,
  side text NOT NULL, type text NOT NULL, shares bigint NOT NULL, price int,
  filled bigint NOT NULL, cost bigint NOT NULL, remaining bigint NOT NULL, status text NOT NULL,
  transaction_id text, expires_at timestamptz,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX orders_bids ON orders (outcome_id, price DESC, seq)
  WHERE side = 'BUY' AND status IN ('PENDING', 'PARTIAL');
CREATE INDEX orders_asks ON orders (outcome_id, price, seq)
  WHERE side = 'SELL' AND status IN ('PENDING', 'PARTIAL');
CREATE INDEX orders_of_operator ON orders (operator_id, seq);
CREATE UNIQUE INDEX orders_once ON orders (operator_id, transaction_id)
  WHERE transaction_id IS NOT NULL;
CREATE TABLE trades (
  id uuid PRIMARY KEY, seq bigint GENERATED ALWAYS AS IDENTITY, market_id uuid NOT NULL,
  outcome_id uuid NOT NULL, buy_order_id uuid NOT NULL, sell_order_id uuid NOT NULL,
  buyer_operator_id uuid NOT NULL, seller_operator_id uuid NOT NULL, price int NOT NULL,
  shares bigint NOT NULL, buyer_fee bigint NOT NULL, seller_fee bigint NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX trades_of_market ON trades (market_id, seq);
CREATE TABLE positions (
  outcome_id uuid NOT NULL, operator_id uuid NOT NULL, player_id text NOT NULL,
  market_id uuid NOT NULL, shares bigint NOT NULL, reserved bigint NOT NULL,
  cost bigint NOT NULL, profit bigint NOT NULL, updated_at timestamptz NOT NULL,
  PRIMARY KEY (outcome_id, operator_id, player_id)
) WITH (fillfactor = 50);
CREATE TABLE events (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, operator_id uuid NOT NULL,
  market_id uuid, type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL
);
`

export type BookRow = {
  readonly version: number
  readonly status: string
  readonly starts_at: Date | null
  readonly ends_at: Date | null
}
export type PositionRow = { shares: number; reserved: number; cost: number; profit: number }
export type RestingRow = {
  readonly id: string
  readonly operator_id: string
  readonly player_id: string
  readonly price: number
  readonly shares: number
  readonly filled: number
  readonly cost: number
  readonly remaining: number
  readonly held: number | null
  readonly reserved: number | null
  readonly held_cost: number | null
  readonly profit: number | null
}

/** Locks a book: a placement, cancel or mint holds its row until the commit. */
export const lockBook = `
SELECT o.version, m.status, m.starts_at, m.ends_at
FROM outcomes o JOIN markets m ON m.id = o.market_id
WHERE o.id = $1 AND o.market_id = $2
FOR UPDATE OF o`

export const readPosition = `
SELECT shares, reserved, cost, profit FROM positions
WHERE outcome_id = $1 AND operator_id = $2 AND player_id = $3`

/** Resting orders that an incoming order matches, best first, with their players' positions. */
export function readResting(incoming: 'BUY' | 'SELL'): string {
  const [side, comparison, order] =
    incoming === 'BUY' ? ['SELL', '<=', 'ASC'] : ['BUY', '>=', 'DESC']
  return `
SELECT r.id, r.operator_id, r.player_id, r.price, r.shares, r.filled, r.cost, r.remaining,
  p.shares AS held, p.reserved, p.cost AS held_cost, p.profit
FROM (
  SELECT * FROM orders
  WHERE outcome_id = $1 AND side = '${side}' AND status IN ('PENDING', 'PARTIAL')
    AND price ${comparison} $2 AND (expires_at IS NULL OR expires_at > now())
  ORDER BY price ${order}, seq LIMIT $3 OFFSET $4
) r LEFT JOIN positions p
  ON p.outcome_id = $1 AND p.operator_id = r.operator_id AND p.player_id = r.player_id
ORDER BY r.price ${order}, r.seq`
}

/** All changes of a placement, in one statement. */
export const writePlacement = `
WITH placed AS (
  INSERT INTO orders (id, market_id, outcome_id, operator_id, player_id, side, type, shares, price,
    filled, cost, remaining, status, transaction_id, expires_at, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)
), matched AS (
  UPDATE orders SET filled = u.filled, cost = u.cost, remaining = u.remaining,
    status = u.status, updated_at = $16
  FROM unnest($17::uuid[], $18::bigint[], $19::bigint[], $20::bigint[], $21::text[])
    AS u (id, filled, cost, remaining, status)
  WHERE orders.id = u.id
), traded AS (
  INSERT INTO trades (id, market_id, outcome_id, buy_order_id, sell_order_id, buyer_operator_id,
    seller_operator_id, price, shares, buyer_fee, seller_fee, created_at)
  SELECT u.id, $2, $3, u.buy, u.sell, u.buyer, u.seller, u.price, u.shares, u.buyer_fee,
    u.seller_fee, $16
  FROM unnest($22::uuid[], $23::uuid[], $24::uuid[], $25::uuid[], $26::uuid[], $27::int[],
    $28::bigint[], $29::bigint[], $30::bigint[])
    AS u (id, buy, sell, buyer, seller, price, shares, buyer_fee, seller_fee)
), held AS (
  INSERT INTO positions (outcome_id, operator_id, player_id, market_id, shares, reserved, cost,
    profit, updated_at)
  SELECT $3, u.operator, u.player, $2, u.shares, u.reserved, u.cost, u.profit, $16
  FROM unnest($31::uuid[], $32::text[], $33::bigint[], $34::bigint[], $35::bigint[],
    $36::bigint[]) AS u (operator, player, shares, reserved, cost, profit)
  ON CONFLICT (outcome_id, operator_id, player_id) DO UPDATE SET shares = excluded.shares,
    reserved = excluded.reserved, cost = excluded.cost, profit = excluded.profit,
    updated_at = excluded.updated_at
), published AS (
  INSERT INTO events (operator_id, market_id, type, payload, created_at)
  SELECT u.operator, $2, u.type, u.payload, $16
  FROM unnest($37::uuid[], $38::text[], $39::jsonb[]) AS u (operator, type, payload)
)
UPDATE outcomes SET version = version + 1, volume = volume + $40, trades = trades + $41,
  last_price = coalesce($42, last_price)
WHERE id = $3`

/** Mints complete sets for a player; locks the outcomes' rows in a fixed order. */
export const mint = `
WITH books AS (
  SELECT o.id, o.market_id FROM outcomes o JOIN markets m ON m.id = o.market_id
  WHERE m.id = $1 AND m.operator_id = $2 AND m.status = 'OPEN' ORDER BY o.id FOR UPDATE OF o
)
INSERT INTO positions AS held (outcome_id, operator_id, player_id, market_id, shares, reserved,
  cost, profit, updated_at)
SELECT id, $2, $3, market_id, $4::bigint, 0, $4::bigint * 10000 / count(*) OVER (), 0, now()
FROM books
ON CONFLICT (outcome_id, operator_id, player_id) DO UPDATE
SET shares = held.shares + excluded.shares, cost = held.cost + excluded.cost, updated_at = now()
RETURNING held.outcome_id, held.shares`
