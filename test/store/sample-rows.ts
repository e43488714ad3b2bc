// One sample row of each kind; a test changes the fields that it is about.

import { controlsHolders } from '../../src/core/state/controls.ts'
import type { OperatorRow, Row, RowKind, RowPacker } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'

/** Adds a row to a turn. */
export type Adding = (packer: RowPacker) => void

export const startMs = Date.UTC(2026, 0, 1)
export const minuteMs = 60_000
/** Operator numbers. */
export const owner = 1
export const participant = 2
/** The market of the samples, and its outcomes. */
export const market = serial(1)
export const yes = serial(2)
export const no = serial(3)

const times = { createdAt: startMs, updatedAt: startMs }

export const rows = {
  market: sample('market', {
    serial: market,
    ...times,
    ownerNumber: owner,
    currency: 'USD',
    isShared: 1,
    hasCompleteSetMatching: 0,
    status: 2,
    title: 'Will it rain?',
    description: null,
    imageUrl: null,
    categoryId: null,
    metadata: null,
    tradingStartsAt: 0,
    tradingEndsAt: 0,
    resolution: null,
  }),
  marketDescription: sample('marketDescription', { serial: market, description: null }),
  marketImageUrl: sample('marketImageUrl', { serial: market, imageUrl: null }),
  marketMetadata: sample('marketMetadata', { serial: market, metadata: null }),
  marketFees: sample('marketFees', { serial: market, feeSchedule: null }),
  marketBand: sample('marketBand', { serial: market, priceBand: null }),
  marketPublicPage: sample('marketPublicPage', { serial: market, hasPublicPage: 1 }),
  deadMan: sample('deadMan', {
    operatorNumber: owner,
    playerId: '',
    timeoutMs: 5_000,
    deadline: startMs + 5_000,
    state: 0,
    cancelUpTo: 0,
  }),
  orderGroup: sample('orderGroup', {
    serial: 70,
    createdAt: startMs,
    operatorNumber: owner,
    playerId: 'ann',
    limitShares: 50_000,
    windowMs: 15_000,
    status: 0,
    generation: 0,
    cancelUpTo: 0,
  }),
  orderGroupFill: sample('orderGroupFill', {
    groupSerial: 70,
    slot: 0,
    generation: 0,
    filledAt: startMs,
    shares: 1_000,
  }),
  orderGroupOrder: sample('orderGroupOrder', {
    orderSerial: 10,
    groupSerial: 70,
    groupCreatedAt: startMs,
  }),
  orderAmount: sample('orderAmount', { serial: 10, amount: 10_000_000, spent: 99_000_000_000 }),
  marketCounters: sample('marketCounters', {
    marketSerial: market,
    volume: 0n,
    tradeCount: 0,
    setsMinted: 0n,
    setsRedeemed: 0n,
  }),
  newOutcome: sample('newOutcome', {
    serial: yes,
    marketSerial: market,
    place: 0,
    name: 'Yes',
    description: null,
  }),
  amendedOrder: sample('amendedOrder', {
    serial: 10,
    queueSerial: 90,
    shares: 300,
    price: 5_100,
    filled: 0,
    cost: 0,
    status: 0,
    updatedAt: startMs + 1,
  }),
  outcome: sample('outcome', { outcomeSerial: yes, version: 1, lastPrice: 0 }),
  candle: sample('candle', {
    outcomeSerial: yes,
    minute: startMs / minuteMs,
    open: 5_000,
    high: 5_000,
    low: 5_000,
    close: 5_000,
    shares: 100,
    trades: 1,
  }),
  participant: sample('participant', { marketSerial: market, operatorNumber: participant }),
  job: sample('job', { marketSerial: market, isDone: 0, job: '{}' }),
  newOrder: sample('newOrder', {
    serial: 10,
    ...times,
    queueSerial: 10,
    marketSerial: market,
    outcomeSerial: yes,
    operatorNumber: owner,
    playerId: 'ann',
    isSell: 0,
    shares: 1_000,
    price: 5_000,
    filled: 0,
    cost: 0,
    status: 0,
    expiresAt: 0,
    options: 0,
    transactionId: null,
    fingerprint: 0,
  }),
  order: sample('order', { serial: 10, filled: 0, cost: 0, status: 3, updatedAt: startMs }),
  trade: sample('trade', {
    serial: 20,
    createdAt: startMs,
    marketSerial: market,
    outcomeSerial: yes,
    buyOrderSerial: 10,
    buyOrderCreatedAt: startMs,
    sellOrderSerial: 11,
    sellOrderCreatedAt: startMs,
    buyerNumber: owner,
    sellerNumber: participant,
    price: 5_000,
    shares: 100,
    buyerFee: 1_000,
    sellerFee: 2_000,
    isSellIncoming: 1,
    kind: 0,
  }),
  position: sample('position', {
    serial: 30,
    ...times,
    marketSerial: market,
    outcomeSerial: yes,
    operatorNumber: owner,
    playerId: 'ann',
    shares: 100,
    reserved: 0,
    cost: 500_000n,
    profit: 0n,
  }),
  sets: sample('sets', {
    serial: 40,
    createdAt: startMs,
    marketSerial: market,
    operatorNumber: owner,
    playerId: 'ann',
    isRedeem: 0,
    shares: 100,
    transactionId: null,
    fingerprint: 0,
  }),
  settlement: sample('settlement', {
    serial: 50,
    ...times,
    positionSerial: 30,
    positionCreatedAt: startMs,
    marketSerial: market,
    outcomeSerial: no,
    operatorNumber: owner,
    playerId: 'ann',
    shares: 100,
    payoutPerShare: 10_000,
    status: 2,
  }),
  settlementNote: sample('settlementNote', {
    serial: 50,
    transactionId: null,
    errorMessage: null,
    updatedAt: startMs,
  }),
  eventRecord: sample('eventRecord', {
    operatorNumber: owner,
    firstSequence: 1,
    lastSequence: 1,
    createdAt: startMs,
    marketSerial: market,
    marketCreatedAt: startMs,
    types: 1,
    body: '[]',
  }),
  eventSequence: sample('eventSequence', { operatorNumber: owner, eventSequence: 1 }),
  controls: sample('controls', {
    holderKind: controlsHolders.indexOf('PLAYER'),
    operatorNumber: owner,
    playerId: 'ann',
    record: null,
  }),
  tally: sample('tally', { operatorNumber: owner, marketSerial: 0, orders: 1, trades: 0 }),
}

/** An open market with two outcomes. */
export const plainMarket: readonly Adding[] = [
  rows.market(),
  rows.marketCounters(),
  rows.newOutcome(),
  rows.newOutcome({ serial: no, place: 1, name: 'No' }),
]

/** An order with its tallies. */
export function countedOrder(change: Partial<Row<'newOrder'>>): Adding {
  return (packer) => {
    rows.newOrder({ queueSerial: change.serial ?? 10, ...change })(packer)
    const operator = change.operatorNumber ?? owner
    rows.tally({ operatorNumber: operator })(packer)
    rows.tally({ operatorNumber: operator, marketSerial: change.marketSerial ?? market })(packer)
  }
}

/** A trade with its tallies. */
export function countedTrade(change: Partial<Row<'trade'>>): Adding {
  return (packer) => {
    rows.trade(change)(packer)
    for (const operator of new Set([
      change.buyerNumber ?? owner,
      change.sellerNumber ?? participant,
    ])) {
      rows.tally({ operatorNumber: operator, orders: 0, trades: 1 })(packer)
      rows.tally({
        operatorNumber: operator,
        marketSerial: change.marketSerial ?? market,
        orders: 0,
        trades: 1,
      })(packer)
    }
  }
}

export function operatorRow(change: Partial<OperatorRow>): OperatorRow {
  const number = change.number ?? owner
  return {
    id: `operator-${number}`,
    number,
    shard: 0,
    name: 'The owner',
    supportedCurrencies: ['USD'],
    feeRate: null,
    feeSchedule: null,
    isActive: true,
    createdAt: startMs,
    updatedAt: startMs,
    ...change,
  }
}

function sample<Kind extends RowKind>(kind: Kind, row: Row<Kind>) {
  return (change: Partial<Row<Kind>> = {}): Adding => {
    return (packer) => packer.add(kind, { ...row, ...change })
  }
}

/** Turns that no engine makes: after the first rows, the others do not fit. */
export const unfitTurns: readonly {
  readonly what: string
  readonly first: readonly Adding[]
  readonly again: readonly Adding[]
}[] = [
  {
    what: 'a change of an order that does not exist',
    first: [],
    again: [rows.order({ serial: 77 })],
  },
  {
    what: 'a second settlement of a position',
    first: [rows.settlement()],
    again: [rows.settlement({ serial: 51 })],
  },
]
