// What a store guarantees for lists of thousands of records: for every filter and page they have
// the same records as a scan of all rows.

import assert from 'node:assert/strict'
import { orderStatuses } from '../../src/core/words.ts'
import type { OpenOrdersCursor, OpenOrdersSlice } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
import { Random } from '../support/process/random.ts'
import {
  type Adding,
  countedOrder,
  countedTrade,
  market,
  no,
  owner,
  participant,
  plainMarket,
  rows,
  startMs,
  yes,
} from './sample-rows.ts'
import type { StoreFixture, StoreTests } from './store-fixture.ts'

type Order = {
  readonly serial: number
  readonly operatorNumber: number
  readonly marketSerial: number
  readonly playerId: string
  readonly transactionId: string | null
  status: number
}
type Trade = {
  readonly serial: number
  readonly buyerNumber: number
  readonly sellerNumber: number
  readonly marketSerial: number
  readonly outcomeSerial: number
  readonly buyOrderSerial: number
  readonly sellOrderSerial: number
  /** Of the two orders. */
  readonly players: readonly { readonly operatorNumber: number; readonly playerId: string }[]
}

const firstSerial = 1_000
const turnCount = 90
const otherMarket = serial(77)
const players = ['ann', 'bob', 'cy']
const closed = orderStatuses.indexOf('CANCELLED')
const isOpen = ({ status }: Order) => status <= orderStatuses.indexOf('PARTIAL')
const newestFirst = (one: { serial: number }, other: { serial: number }) =>
  other.serial - one.serial

/** Thousands of orders and trades in many turns. Some orders are closed, soon or much later. */
class Ledger {
  readonly orders: Order[] = []
  readonly trades: Trade[] = []
  readonly #random = new Random(7)
  #serial = firstSerial

  async fill(fixture: StoreFixture): Promise<void> {
    await fixture.commit(...plainMarket, rows.market({ serial: otherMarket }))
    for (let turn = 0; turn < turnCount; turn += 1) {
      const closing = Array.from({ length: 12 }, () => this.#close())
      const coming = Array.from({ length: 35 }, () => [this.#order(), this.#trade()])
      await fixture.commit(...closing.flat(), ...coming.flat())
    }
  }

  #order(): Adding {
    const random = this.#random
    this.#serial += 1
    const order = {
      serial: this.#serial,
      operatorNumber: random.chance(80) ? owner : participant,
      marketSerial: random.chance(80) ? market : otherMarket,
      playerId: random.pick(players),
      transactionId: random.chance(50) ? `tx-${random.between(1, 100)}` : null,
      status: random.chance(80) ? 0 : closed,
    }
    this.orders.push(order)
    return countedOrder(order)
  }

  #trade(): Adding {
    const random = this.#random
    this.#serial += 1
    const buyerNumber = random.chance(70) ? owner : participant
    const sellerNumber = random.chance(70) ? owner : participant
    const [buy, sell] = [this.#orderOf(buyerNumber, 1), this.#orderOf(sellerNumber, 3)]
    const trade = {
      serial: this.#serial,
      buyerNumber,
      sellerNumber,
      buyOrderSerial: buy?.serial ?? 1,
      sellOrderSerial: sell?.serial ?? 2,
      marketSerial: random.chance(80) ? market : otherMarket,
      outcomeSerial: random.chance(50) ? yes : no,
    }
    this.trades.push({ ...trade, players: [buy, sell].flatMap((order) => order ?? []) })
    return countedTrade(trade)
  }

  // Orders have odd serials. No order is on both sides of a trade.
  #orderOf(operatorNumber: number, rest: 1 | 3): Order | undefined {
    const own = this.orders.filter(
      (order) => order.operatorNumber === operatorNumber && order.serial % 4 === rest,
    )
    return own.length === 0 ? undefined : this.#random.pick(own)
  }

  #close(): Adding[] {
    const open = this.orders.filter(isOpen)
    if (open.length === 0) return []
    const order = this.#random.pick(open)
    order.status = closed
    return [rows.order({ serial: order.serial, status: closed, updatedAt: startMs })]
  }
}

const anyOrder = {
  operatorNumber: owner,
  marketSerial: null,
  outcomeSerial: null,
  playerId: null,
  side: null,
  type: null,
  statuses: null,
  transactionId: null,
}

const orderLists = {
  all: { filter: {}, fits: () => true },
  'of a market': {
    filter: { marketSerial: otherMarket },
    fits: (order: Order) => order.marketSerial === otherMarket,
  },
  'of a player': {
    filter: { playerId: 'bob' },
    fits: (order: Order) => order.playerId === 'bob',
  },
  open: { filter: { statuses: ['PENDING', 'PARTIAL'] }, fits: isOpen },
  'open orders of a player': {
    filter: { playerId: 'ann', statuses: ['PENDING', 'PARTIAL'] },
    fits: (order: Order) => order.playerId === 'ann' && isOpen(order),
  },
  'closed orders of a player in a market': {
    filter: { playerId: 'cy', marketSerial: market, statuses: ['CANCELLED'] },
    fits: (order: Order) =>
      order.playerId === 'cy' && order.marketSerial === market && !isOpen(order),
  },
  'of a transactionId': {
    filter: { transactionId: 'tx-1' },
    fits: (order: Order) => order.transactionId === 'tx-1',
  },
} as const

function isOfPlayer({ players }: Trade, operator: number, player: string): boolean {
  return players.some((of) => of.operatorNumber === operator && of.playerId === player)
}

const tradeLists = {
  all: { filter: {}, fits: () => true },
  'of a market': {
    filter: { marketSerial: market },
    fits: (trade: Trade) => trade.marketSerial === market,
  },
  'of an outcome': {
    filter: { outcomeSerial: no },
    fits: (trade: Trade) => trade.outcomeSerial === no,
  },
  'of a player': {
    filter: { playerId: 'bob' },
    fits: (trade: Trade, operator: number) => isOfPlayer(trade, operator, 'bob'),
  },
  'of a player in a market and an outcome': {
    filter: { playerId: 'ann', marketSerial: otherMarket, outcomeSerial: yes },
    fits: (trade: Trade, operator: number) =>
      trade.marketSerial === otherMarket &&
      trade.outcomeSerial === yes &&
      isOfPlayer(trade, operator, 'ann'),
  },
} as const

type Found = { readonly rows: readonly { readonly serial: number }[]; readonly total: number }

/** Reads pages from the beginning and from the middle of a list. */
async function assertPages(
  serials: readonly number[],
  read: (paging: { after: number | null; limit: number }) => Promise<Found>,
  title: string,
): Promise<void> {
  assert.ok(serials.length > 3, title)
  for (const start of [0, 1, Math.floor(serials.length / 2), serials.length - 2]) {
    const after = start === 0 ? null : serials[start - 1]!
    for (const limit of [1, 40, serials.length]) {
      const page = await read({ after, limit })
      const found = page.rows.map(({ serial }) => serial)
      assert.deepEqual(found, serials.slice(start, start + limit), title)
      assert.equal(page.total, serials.length, title)
    }
  }
}

export const listTests: StoreTests = {
  'pages of long lists of orders and trades are right, before and after a restart': async (
    fixture,
  ) => {
    const ledger = new Ledger()
    await ledger.fill(fixture)
    const orders = ledger.orders.toSorted(newestFirst)
    const trades = ledger.trades.toSorted(newestFirst)
    for (let round = 0; round < 2; round += 1) {
      const { reads } = fixture.shard
      for (const operator of [owner, participant]) {
        for (const [title, { filter, fits }] of Object.entries(orderLists)) {
          const own = orders.filter((order) => order.operatorNumber === operator && fits(order))
          if (title === 'of a transactionId' && operator === participant) continue
          const query = { ...anyOrder, ...filter, operatorNumber: operator }
          const serials = own.map(({ serial }) => serial)
          await assertPages(serials, (paging) => reads.orders({ ...query, ...paging }), title)
        }
        for (const [title, { filter, fits }] of Object.entries(tradeLists)) {
          const own = trades.filter(
            (trade) =>
              (trade.buyerNumber === operator || trade.sellerNumber === operator) &&
              fits(trade, operator),
          )
          const query = {
            marketSerial: null,
            outcomeSerial: null,
            orderSerial: null,
            playerId: null,
            ...filter,
            operatorNumber: operator,
          }
          const serials = own.map(({ serial }) => serial)
          await assertPages(serials, (paging) => reads.trades({ ...query, ...paging }), title)
        }
      }
      await fixture.reopen()
    }
  },

  'the same orders are open, loaded, part of the exposure and cancelled together': async (
    fixture,
  ) => {
    const ledger = new Ledger()
    await ledger.fill(fixture)
    const open = ledger.orders.filter(isOpen)
    const { shard } = fixture
    const { reads } = shard
    const loaded = [...(await shard.load()).records.orders].map(({ serial }) => serial)
    const loadable = open.map(({ serial }) => serial)
    assert.deepEqual(
      loaded.toSorted((one, other) => one - other),
      loadable,
    )
    const ofBob = open.filter(
      ({ playerId, operatorNumber }) => playerId === 'bob' && operatorNumber === owner,
    )
    const { openOrders } = await reads.exposure({ operatorNumber: owner, playerId: 'bob' })
    assert.equal(openOrders, ofBob.length)
    const found: number[] = []
    const filter = { ...anyOrder, playerId: 'bob' }
    for (let after: OpenOrdersCursor | null = null; ; ) {
      const slice: OpenOrdersSlice = await reads.openOrders({ ...filter, after, limit: 100 })
      found.push(...slice.serials)
      after = slice.next
      if (after === null) break
    }
    assert.deepEqual(
      found,
      ofBob.toSorted(newestFirst).map(({ serial }) => serial),
    )
  },

  'a filtered list is counted up to 10,000, a kept total is exact': async (fixture) => {
    const { reads } = fixture.shard
    const totals = async (filter: object) => {
      const page = await reads.orders({ ...anyOrder, ...filter, after: null, limit: 5 })
      return [page.total, page.totalIsExact]
    }
    const add = (from: number, count: number) =>
      fixture.commit(
        ...Array.from({ length: count }, (_, at) => countedOrder({ serial: from + at })),
      )
    await fixture.commit(...plainMarket)
    await add(1_000, 10_000)
    assert.deepEqual(await totals({ side: 'BUY' }), [10_000, true])
    await add(11_000, 1)
    assert.deepEqual(await totals({ side: 'BUY' }), [10_000, false])
    assert.deepEqual(await totals({ statuses: ['PENDING'] }), [10_000, false])
    assert.deepEqual(await totals({ side: 'SELL' }), [0, true])
    assert.deepEqual(await totals({}), [10_001, true])
    assert.deepEqual(await totals({ marketSerial: market }), [10_001, true])
  },

  'the newest order of a transactionId is found, however old it is': async (fixture) => {
    const ledger = new Ledger()
    await ledger.fill(fixture)
    const newest = new Map<string, number>()
    for (const { operatorNumber, transactionId, serial } of ledger.orders) {
      if (operatorNumber === owner && transactionId !== null) newest.set(transactionId, serial)
    }
    for (const [transactionId, serial] of newest) {
      const found = await fixture.shard.reads.byTransactionId(owner, transactionId)
      assert.equal(found?.kind === 'ORDER' ? found.order.serial : null, serial)
    }
    assert.equal(await fixture.shard.reads.byTransactionId(owner, 'tx-none'), null)
  },
}
