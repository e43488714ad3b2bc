// One statement for each kind of row. A colon names a column of the row as it is packed; braces
// hold what a statement for several rows has once for each.

import { type RowKind, rowKinds } from '../rows.ts'
import { candleMinutes } from '../trade-data.ts'

/** How many rows one statement of that kind may take: as many as that, or one. */
export function rowsAtOnce(kind: RowKind): number {
  return statements[kind].includes('{') ? 8 : 1
}

/** The statement for so many rows of a kind, its parameters numbered in the order of packing. */
export function statementFor(kind: RowKind, rows: number): string {
  const columns: readonly string[] = Object.keys(rowKinds[kind])
  let highest = 0
  const numbered = (text: string, row: number): string =>
    text.replace(/:(\w+)/g, (_, column: string) => {
      const place = columns.indexOf(column)
      if (place < 0) throw new Error(`A row of kind ${kind} has no column ${column}.`)
      const number = row * columns.length + place + 1
      // A plain mark has the number behind the highest so far. One that shows its number counts as
      // named, and with each value that is bound Node.js has SQLite search all the names.
      const isNext = number === highest + 1
      highest = Math.max(highest, number)
      return isNext ? '?' : `?${number}`
    })
  const [head = '', values, tail = ''] = statements[kind].split(/[{}]/)
  const parts = [numbered(head, 0)]
  if (values !== undefined) {
    const each = Array.from({ length: rows }, (_, row) => `(${numbered(values, row)})`)
    parts.push(each.join(', '), numbered(tail, 0))
  }
  return parts.join('')
}

// Numbers are bound as floats; a column of a fixed type makes them whole, one of any type does not.
function sum(column: string): string {
  return `iif(typeof(:${column}) = 'text', :${column}, CAST(:${column} AS INTEGER))`
}

const everyWidth = Object.values(candleMinutes)
  .map((minutes) => `(${minutes})`)
  .join(', ')

const statements: Readonly<Record<RowKind, string>> = {
  newOrder: `
    INSERT INTO orders (
      serial, created_at, updated_at, queue_serial, market, outcome, operator, player_id, is_sell,
      shares, price, filled, cost, status, expires_at, options, transaction_id,
      fingerprint
    ) VALUES {
      :serial, :createdAt, :updatedAt, :queueSerial, :marketSerial, :outcomeSerial, :operatorNumber, :playerId,
      :isSell, :shares, :price, :filled, :cost, :status, :expiresAt, :options, :transactionId,
      :fingerprint
    }`,
  order: `
    UPDATE orders SET filled = :filled, cost = :cost, status = :status, updated_at = :updatedAt
    WHERE serial = :serial`,
  amendedOrder: `
    UPDATE orders SET
      queue_serial = :queueSerial, shares = :shares, price = :price, filled = :filled,
      cost = :cost, status = :status, updated_at = :updatedAt
    WHERE serial = :serial`,
  trade: `
    INSERT INTO trades (
      serial, created_at, market, outcome, buy_order, buy_order_created_at, sell_order,
      sell_order_created_at, buyer, seller, price, shares, buyer_fee, seller_fee, is_sell_incoming,
      kind
    ) VALUES {
      :serial, :createdAt, :marketSerial, :outcomeSerial, :buyOrderSerial, :buyOrderCreatedAt, :sellOrderSerial,
      :sellOrderCreatedAt, :buyerNumber, :sellerNumber, :price, :shares, :buyerFee, :sellerFee, :isSellIncoming,
      :kind
    }`,
  position: `
    INSERT INTO positions (
      serial, created_at, updated_at, market, outcome, operator, player_id, shares, reserved, cost,
      profit
    ) VALUES {
      :serial, :createdAt, :updatedAt, :marketSerial, :outcomeSerial, :operatorNumber, :playerId, :shares, :reserved,
      ${sum('cost')}, ${sum('profit')}
    } ON CONFLICT (serial) DO UPDATE SET
      updated_at = max(updated_at, excluded.updated_at), shares = excluded.shares,
      reserved = excluded.reserved, cost = excluded.cost, profit = excluded.profit`,
  market: `
    INSERT INTO markets (
      serial, created_at, updated_at, owner, currency, is_shared, has_complete_set_matching, status,
      title, folded_title, description, image_url, category_id, metadata, trading_starts_at,
      trading_ends_at, resolution
    ) VALUES (
      :serial, :createdAt, :updatedAt, :ownerNumber, :currency, :isShared, :hasCompleteSetMatching,
      :status, :title, fold(:title), :description, :imageUrl, :categoryId, :metadata,
      :tradingStartsAt, :tradingEndsAt, :resolution
    ) ON CONFLICT (serial) DO UPDATE SET
      updated_at = excluded.updated_at, is_shared = excluded.is_shared, status = excluded.status,
      title = excluded.title, folded_title = excluded.folded_title,
      description = excluded.description, image_url = excluded.image_url,
      category_id = excluded.category_id, metadata = excluded.metadata,
      trading_starts_at = excluded.trading_starts_at, trading_ends_at = excluded.trading_ends_at,
      resolution = excluded.resolution`,
  marketCounters: `
    INSERT INTO market_counters (market, volume, trade_count, sets_minted, sets_redeemed)
    VALUES (
      :marketSerial, ${sum('volume')}, :tradeCount, ${sum('setsMinted')}, ${sum('setsRedeemed')}
    ) ON CONFLICT (market) DO UPDATE SET
      volume = excluded.volume, trade_count = excluded.trade_count,
      sets_minted = excluded.sets_minted, sets_redeemed = excluded.sets_redeemed`,
  newOutcome: `
    INSERT INTO outcomes (serial, market, place, name, description)
    VALUES (:serial, :marketSerial, :place, :name, :description)`,
  outcome: `
    INSERT INTO books (outcome, version, last_price) VALUES (:outcomeSerial, :version, :lastPrice)
    ON CONFLICT (outcome) DO UPDATE SET
      version = excluded.version, last_price = excluded.last_price`,
  candle: `
    INSERT INTO candles (outcome, width, minute, open, high, low, close, shares, trades)
    SELECT :outcomeSerial, column1, :minute - :minute % column1, :open, :high, :low, :close, :shares,
      :trades
    FROM (VALUES ${everyWidth}) WHERE true
    ON CONFLICT (outcome, width, minute) DO UPDATE SET
      high = max(high, excluded.high), low = min(low, excluded.low), close = excluded.close,
      shares = shares + excluded.shares, trades = trades + excluded.trades`,
  participant: `
    INSERT INTO guests (market, operator) VALUES (:marketSerial, :operatorNumber) ON CONFLICT DO NOTHING`,
  job: `
    INSERT INTO runs (market, is_done, run) VALUES (:marketSerial, :isDone, :job)
    ON CONFLICT (market) DO UPDATE SET is_done = excluded.is_done, run = excluded.run`,
  sets: `
    INSERT INTO sets (
      serial, created_at, market, operator, player_id, is_redeem, shares, transaction_id,
      fingerprint
    ) VALUES {
      :serial, :createdAt, :marketSerial, :operatorNumber, :playerId, :isRedeem, :shares, :transactionId,
      :fingerprint
    }`,
  settlement: `
    INSERT INTO settlements (
      serial, created_at, updated_at, position_serial, position_created_at, market, outcome,
      operator, player_id, shares, payout_per_share, status
    ) VALUES {
      :serial, :createdAt, :updatedAt, :positionSerial, :positionCreatedAt, :marketSerial, :outcomeSerial,
      :operatorNumber, :playerId, :shares, :payoutPerShare, :status
    } ON CONFLICT (serial) DO UPDATE SET
      status = excluded.status, updated_at = excluded.updated_at,
      error_message = iif(excluded.status = 2, NULL, error_message)`,
  settlementNote: `
    UPDATE settlements SET
      transaction_id = :transactionId, error_message = :errorMessage, updated_at = :updatedAt
    WHERE serial = :serial`,
  eventRecord: `
    INSERT INTO tellings (
      operator, first_sequence, last_sequence, created_at, market, market_created_at, types, body
    ) VALUES {
      :operatorNumber, :firstSequence, :lastSequence, :createdAt, :marketSerial, :marketCreatedAt, :types, :body
    }`,
  eventSequence: `
    INSERT INTO sequences (operator, sequence) VALUES (:operatorNumber, :eventSequence)
    ON CONFLICT (operator) DO UPDATE SET sequence = excluded.sequence`,
  tally: `
    INSERT INTO tallies (operator, market, orders, trades)
    VALUES (:operatorNumber, :marketSerial, :orders, :trades)
    ON CONFLICT (operator, market) DO UPDATE SET
      orders = orders + excluded.orders, trades = trades + excluded.trades`,
}
