// Loads a shard for the rules. Open orders, positions and keys are handed out one by one, over
// connections that live as long as somebody reads.

import type { FeeRate } from '../../core/money.ts'
import type {
  HeadRecord,
  MarketRecord,
  OperatorRecord,
  OrderRecord,
  PositionRecord,
  Records,
} from '../../core/records.ts'
import type { LoadedShard } from '../store.ts'
import { exactOf, numberOf, numberOrNull, textOf, textOrNull } from './cells.ts'
import { openReader, Statements } from './connection.ts'
import { liveMarkets, usedKeys } from './live-keys.ts'
import { recordOfMarket } from './market-records.ts'

type LoadOptions = {
  readonly folder: string
  readonly shard: number
  /** Keys of ended markets are kept that long. */
  readonly keysFrom: number
}
type OperatorIds = ReadonlyMap<number, string>

export function loadShard({ folder, shard, keysFrom }: LoadOptions): LoadedShard {
  const { operatorIds, operatorNumbers, ...base } = baseOf(folder, shard)
  const records = {
    ...base,
    positions: lazily(folder, (statements) => positionsOf(statements, operatorIds)),
    orders: lazily(folder, (statements) => ordersOf(statements, operatorIds)),
  }
  const { lastSerial } = records.head
  const keys = lazily(folder, (statements) => usedKeys(statements, { keysFrom, lastSerial }))
  return { records, operatorNumbers, keys }
}

/** Over one connection, which stays open while they are read: for whoever holds a snapshot. */
export function recordsIn(statements: Statements, shard: number): Records {
  const { head, markets, operatorIds, operators } = baseIn(statements, shard)
  const positions = positionsOf(statements, operatorIds)
  return { head, operators, markets, positions, orders: ordersOf(statements, operatorIds) }
}

type Base = Pick<Records, 'head' | 'markets' | 'operators'> & {
  readonly operatorIds: OperatorIds
  readonly operatorNumbers: ReadonlyMap<string, number>
}

function baseOf(folder: string, shard: number): Base {
  const database = openReader(folder)
  try {
    database.exec('BEGIN')
    return baseIn(new Statements(database), shard)
  } finally {
    database.close()
  }
}

// What is few enough to be read at once.
function baseIn(statements: Statements, shard: number): Base {
  const operators: OperatorRecord[] = []
  const operatorNumbers = new Map<string, number>()
  const operatorIds = new Map<number, string>()
  const markets: MarketRecord[] = []
  for (const { number, ...operator } of operatorsOf(statements)) {
    operators.push(operator)
    operatorNumbers.set(operator.id, number)
    operatorIds.set(number, operator.id)
  }
  for (const { serial } of liveMarkets(statements)) {
    const market = recordOfMarket(statements, serial)
    if (market !== null) markets.push(market)
  }
  return { head: headOf(statements, shard), operators, markets, operatorIds, operatorNumbers }
}

/** Each reading opens a connection of its own and closes it at the end, or when it is left. */
function lazily<Item>(
  folder: string,
  read: (statements: Statements) => Iterable<Item>,
): Iterable<Item> {
  return {
    *[Symbol.iterator]() {
      const database = openReader(folder)
      try {
        yield* read(new Statements(database))
      } finally {
        database.close()
      }
    },
  }
}

function headOf(statements: Statements, shard: number): HeadRecord {
  const head = statements.get('SELECT now, last_serial, seq FROM shards WHERE shard = ?').get(shard)
  return {
    now: numberOf(head?.now),
    lastSerial: numberOf(head?.last_serial),
    sequence: numberOf(head?.seq),
  }
}

function operatorsOf(statements: Statements): (OperatorRecord & { number: number })[] {
  return statements
    .get(
      `SELECT id, number, supported_currencies, fee_rate, ifnull(sequence, 0) AS sequence
       FROM operators LEFT JOIN sequences ON sequences.operator = number ORDER BY number`,
    )
    .all()
    .map((cells) => {
      const supportedCurrencies: string[] = JSON.parse(textOf(cells.supported_currencies))
      return {
        id: textOf(cells.id),
        number: numberOf(cells.number),
        supportedCurrencies,
        feeRate: cells.fee_rate === null ? null : (numberOf(cells.fee_rate) as FeeRate),
        sequence: numberOf(cells.sequence),
      }
    })
}

// The serials come from an index alone and are sorted; the rows are then read along the table.
function* positionsOf(statements: Statements, ids: OperatorIds): Iterable<PositionRecord> {
  const live = JSON.stringify(liveMarkets(statements).map(({ serial }) => serial))
  const rows = statements.database
    .prepare(
      `SELECT p.serial, p.created_at, p.outcome, p.operator, p.player_id, p.shares, p.cost, p.profit
       FROM (
         SELECT serial FROM positions INDEXED BY positions_by_market
         WHERE market IN (SELECT value FROM json_each(?)) ORDER BY serial LIMIT -1
       ) AS live CROSS JOIN positions AS p ON p.serial = live.serial`,
      { returnArrays: true },
    )
    .iterate(live)
  for (const cells of rows) {
    yield {
      serial: numberOf(cells[0]),
      createdAt: numberOf(cells[1]),
      outcomeId: numberOf(cells[2]),
      operatorId: textOf(ids.get(numberOf(cells[3]))),
      playerId: textOf(cells[4]),
      shares: numberOf(cells[5]),
      cost: exactOf(cells[6]),
      profit: exactOf(cells[7]),
    }
  }
}

// As arrays: a million rows load a quarter faster than as objects.
function* ordersOf(statements: Statements, ids: OperatorIds): Iterable<OrderRecord> {
  const rows = statements.database
    .prepare(
      `SELECT serial, created_at, queue_serial, outcome, operator, player_id, is_sell, price,
         shares, filled, cost, expires_at, transaction_id, options
       FROM orders INDEXED BY orders_open WHERE status <= 1 ORDER BY queue_serial`,
      { returnArrays: true },
    )
    .iterate()
  for (const cells of rows) {
    yield {
      serial: numberOf(cells[0]),
      createdAt: numberOf(cells[1]),
      queueSerial: numberOf(cells[2]),
      outcomeId: numberOf(cells[3]),
      operatorId: textOf(ids.get(numberOf(cells[4]))),
      playerId: textOf(cells[5]),
      side: cells[6] === 1 ? 'SELL' : 'BUY',
      price: numberOf(cells[7]),
      shares: numberOf(cells[8]),
      filled: numberOf(cells[9]),
      cost: numberOf(cells[10]),
      expiresAt: numberOrNull(cells[11]),
      transactionId: textOrNull(cells[12]),
      options: numberOf(cells[13]),
    }
  }
}
