// Bodies of event records as they are in stores, and their events. A change in how a type is read
// needs a new version; a stored body that cannot be read is a bug.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { house, participant, TestExchange } from '../../../test/support/core/exchange.ts'
import { serial } from '../../../test/support/core/steps.ts'
import { BrokenInvariant } from '../assert.ts'
import { type EventType, eventTypes } from '../words.ts'
import type {
  ControlsChangedPayload,
  OrderCancelled,
  OrderMatched,
  OrderPlaced,
  Payload,
} from './event-payload.ts'
import { type Event, expand, type StoredEventRecord } from './events.ts'

const { ids } = new TestExchange().core
const marketId = ids.textOf(serial(700), 1_000)
const [yes, no] = [ids.textOf(serial(701), 1_000), ids.textOf(serial(702), 1_000)]
const timestamp = 50_000
const about = { marketId, operatorId: participant }

/** What a store returns for a market with the serial 700 and the participant as receiver. */
function recordWith(body: string): StoredEventRecord {
  return {
    operatorId: participant,
    marketSerial: serial(700),
    marketCreatedAt: 1_000,
    firstSequence: 31,
    createdAt: timestamp,
    body: JSON.parse(body),
  }
}

type Stored = readonly [body: string, payload: Payload]
const stored: { readonly [Type in EventType]: Stored } = {
  MARKET_CREATED: [
    '[0,"Rain?","EUR","weather",2,1,"Yes",2,"No"]',
    {
      ...about,
      title: 'Rain?',
      status: 'DRAFT',
      currency: 'EUR',
      categoryId: 'weather',
      outcomes: [
        { id: yes, name: 'Yes', index: 0 },
        { id: no, name: 'No', index: 1 },
      ],
      timestamp,
    },
  ],
  CONTROLS_CHANGED: [
    '[141,2,1,"ann","Rain",0,50000001,0,null]',
    {
      scope: 'PLAYER',
      playerId: 'ann',
      mode: 'REDUCE_ONLY',
      reason: 'Rain',
      until: '1970-01-01T00:00:00.000Z',
      limits: { maxOrderCost: 50, maxMarketCost: null },
      timestamp,
    },
  ],
  MARKET_STATUS_CHANGED: [
    '[1,"house",2,3,"Lightning"]',
    {
      marketId,
      operatorId: house,
      previousStatus: 'OPEN',
      status: 'SUSPENDED',
      reason: 'Lightning',
      timestamp,
    },
  ],
  MARKET_RESOLVED: [
    '[2,null,null,"The press","At noon",2,1,2500,2,7500]',
    {
      ...about,
      winningOutcomeId: null,
      resolutionSource: 'The press',
      resolutionNotes: 'At noon',
      payouts: [
        { outcomeId: yes, payoutPerShare: 0.25 },
        { outcomeId: no, payoutPerShare: 0.75 },
      ],
      timestamp,
    },
  ],
  MARKET_UPDATED: [
    '[139,null,null,1050,1]',
    {
      marketId,
      tradingEndsAt: null,
      reason: null,
      priceBand: { maxMove: 0.105, suspendOnBand: true },
      timestamp,
    },
  ],
  ORDER_BOOK_UPDATE: [
    '[3,2,88,2500,5500,1,2500,400,3,2,5500,600,2,5600,0,0]',
    {
      marketId,
      outcomeId: no,
      version: 88,
      bids: [{ price: 0.25, shares: 4, orderCount: 3 }],
      asks: [
        { price: 0.55, shares: 6, orderCount: 2 },
        { price: 0.56, shares: 0, orderCount: 0 },
      ],
      bestBid: 0.25,
      bestAsk: 0.55,
      spread: 0.3,
      timestamp,
    },
  ],
  PRICE_UPDATED: [
    '[4,1,2500,5501,5000]',
    {
      marketId,
      outcomeId: yes,
      bestBid: 0.25,
      bestAsk: 0.5501,
      lastPrice: 0.5,
      midPrice: 0.40005,
      spread: 0.3001,
      timestamp,
    },
  ],
  ORDER_PLACED: [
    '[37,910,0,2,1,1200,5000,1,700,"gil","t-1"]',
    {
      orderId: ids.textOf(serial(910), timestamp),
      marketId,
      outcomeId: no,
      operatorId: participant,
      side: 'SELL',
      playerId: 'gil',
      transactionId: 't-1',
      type: 'LIMIT',
      shares: 12,
      price: 0.5,
      status: 'PARTIAL',
      filledShares: 7,
      timestamp,
    },
  ],
  ORDER_AMENDED: [
    '[42,910,4000,2,1,1200,5000,1,700,"gil",null]',
    {
      orderId: ids.textOf(serial(910), 46_000),
      marketId,
      outcomeId: no,
      operatorId: participant,
      side: 'SELL',
      playerId: 'gil',
      transactionId: null,
      type: 'LIMIT',
      shares: 12,
      price: 0.5,
      status: 'PARTIAL',
      filledShares: 7,
      timestamp,
    },
  ],
  ORDER_MATCHED: [
    '[38,910,4000,1,0,920,5000,300,700,500,1,1500000001,"gil","t-1"]',
    {
      orderId: ids.textOf(serial(910), 46_000),
      marketId,
      outcomeId: yes,
      operatorId: participant,
      side: 'BUY',
      playerId: 'gil',
      transactionId: 't-1',
      tradeId: ids.textOf(serial(920), timestamp),
      role: 'TAKER',
      price: 0.5,
      shares: 3,
      fee: 0.1500000001,
      filledShares: 7,
      remainingShares: 5,
      status: 'PARTIAL',
      timestamp,
    },
  ],
  ORDER_CANCELLED: [
    '[39,910,4000,2,1,5000,700,500,4,1,"gil","t-1"]',
    {
      orderId: ids.textOf(serial(910), 46_000),
      marketId,
      outcomeId: no,
      operatorId: participant,
      side: 'SELL',
      playerId: 'gil',
      transactionId: 't-1',
      price: 0.5,
      shares: 12,
      filledShares: 7,
      cancelledShares: 5,
      status: 'EXPIRED',
      reason: 'EXPIRED',
      timestamp,
    },
  ],
  POSITION_UPDATED: [
    '[8,930,3000,1,"gil",1500,7650000,-150000]',
    {
      positionId: ids.textOf(serial(930), 47_000),
      marketId,
      outcomeId: yes,
      operatorId: participant,
      playerId: 'gil',
      shares: 15,
      avgPrice: 0.51,
      totalCost: 7.65,
      realizedPnl: -0.15,
      timestamp,
    },
  ],
  DEAD_MAN_TRIGGERED: [
    '[12,"gil",1794774600123,5000]',
    { playerId: 'gil', deadline: '2026-11-15T20:30:00.123Z', timeoutMs: 5_000, timestamp },
  ],
  ORDER_GROUP_TRIGGERED: [
    '[14,920,1000,"gil",12050,10000,0]',
    {
      groupId: ids.textOf(serial(920), 49_000),
      playerId: 'gil',
      matchedShares: 120.5,
      limitShares: 100,
      cause: 'LIMIT',
      timestamp,
    },
  ],
  SETTLEMENT_COMPLETED: [
    '[9,940,2000,930,3000,2,"gil",1500,5000,3]',
    {
      settlementId: ids.textOf(serial(940), 48_000),
      positionId: ids.textOf(serial(930), 47_000),
      marketId,
      outcomeId: no,
      operatorId: participant,
      playerId: 'gil',
      shares: 15,
      payoutPerShare: 0.5,
      totalPayout: 7.5,
      status: 'FAILED',
      timestamp,
    },
  ],
}

/** The first form: the same events, without what these bodies do not tell. */
const untold = { playerId: null, transactionId: null } as const
const storedEarlier: { readonly [Type in EventType]?: Stored } = {
  ORDER_PLACED: [
    '[5,910,0,2,1,1200,5000,1,700]',
    { ...(stored.ORDER_PLACED[1] as OrderPlaced), ...untold },
  ],
  ORDER_AMENDED: [
    '[10,910,4000,2,1,1200,5000,1,700]',
    { ...(stored.ORDER_AMENDED[1] as OrderPlaced), ...untold },
  ],
  ORDER_MATCHED: [
    '[6,910,4000,1,0,920,5000,300,700,500]',
    { ...(stored.ORDER_MATCHED[1] as OrderMatched), ...untold, role: null, fee: null },
  ],
  ORDER_CANCELLED: [
    '[7,910,4000,2,1,"gil",5000,700,500,4,1]',
    { ...(stored.ORDER_CANCELLED[1] as OrderCancelled), transactionId: null },
  ],
  CONTROLS_CHANGED: [
    '[13,2,1,"ann","Rain",0]',
    { ...(stored.CONTROLS_CHANGED[1] as ControlsChangedPayload), limits: null },
  ],
}

describe('a stored body', () => {
  test('of MARKET_RESOLVED with a winner has no payouts', () => {
    const [event, ...more] = expand(ids, recordWith('[2,null,1,"The press",null]'))
    assert.partialDeepStrictEqual(event!.payload, { winningOutcomeId: yes, payouts: null })
    assert.deepEqual(more, [])
  })

  const bodies = eventTypes.flatMap((eventType) => {
    const earlier = storedEarlier[eventType]
    const present = [eventType, eventType, ...stored[eventType]] as const
    if (earlier === undefined) return [present]
    return [present, [`an earlier ${eventType}`, eventType, ...earlier] as const]
  })

  for (const [name, eventType, body, payload] of bodies) {
    test(`of ${name} is read to its last field`, () => {
      const [event, ...more] = expand(ids, recordWith(body))
      assert.equal(JSON.stringify(event!.payload), JSON.stringify(payload))
      assert.equal(event!.eventType, eventType)
      assert.deepEqual(more, [])
    })

    test(`of ${name} that breaks off is a bug of ours`, () => {
      const fields = recordWith(body).body
      for (let length = 0; length < fields.length; length += 1) {
        assertMalformed(JSON.stringify(fields.slice(0, length)))
      }
    })

    test(`of ${name} with something behind it is a bug of ours`, () => {
      for (const more of ['99', '"gil"', 'null', '0.5']) {
        assertMalformed(body.replace(/]$/, `,${more}]`))
      }
    })
  }

  test('with several events gives each the next number, and ids of its operator', () => {
    const bodies = [stored.ORDER_PLACED[0], stored.POSITION_UPDATED[0], stored.PRICE_UPDATED[0]]
    const events = expand(
      ids,
      recordWith(JSON.stringify(bodies.flatMap((body) => JSON.parse(body)))),
    )
    assert.deepEqual(
      events.map(({ sequence, eventType }) => `${sequence} ${eventType}`),
      ['31 ORDER_PLACED', '32 POSITION_UPDATED', '33 PRICE_UPDATED'],
    )
    const others = expand(ids, { ...recordWith(bodies[0]!), operatorId: house })
    assert.notEqual(events[0]!.id, others[0]!.id)
    for (const event of events) assert.deepEqual(headOf(event), [participant, marketId, timestamp])
  })

  test('names the placer of an order once, with the first event of that order', () => {
    const placed = '37,910,0,2,1,1200,5000,1,700'
    const cancelled = '39,910,0,2,1,5000,700,500,3,2'
    const [, after] = expand(ids, recordWith(`[${placed},"gil","t-1",${cancelled},0]`))
    assert.partialDeepStrictEqual(after!.payload, { playerId: 'gil', transactionId: 't-1' })
    for (const body of [`[${placed},0]`, `[37,911,0,2,1,1,1,1,0,"gil",null,${cancelled},0]`]) {
      assertMalformed(body)
    }
  })

  for (const [what, body] of [
    ['an unknown type', '[13]'],
    ['an unknown form', '[69,910,0,2,1,1200,5000,1,700,"gil","t-1"]'],
    ['a later form of a type that has one only', '[36,1,2500,5501,5000]'],
    ['a third role', '[38,910,4000,1,0,920,5000,300,700,500,2,0,"gil",null]'],
    ['a number for a transactionId', '[37,910,0,2,1,1200,5000,1,700,"gil",7]'],
    ['a fraction', '[4,1,2500.5,5500,5000]'],
    ['a number below zero', '[4,1,-2500,5500,5000]'],
    ['a number past 2^53', '[4,1,9007199254740993,5500,5000]'],
    ['a text for a number', '[4,1,"2500",5500,5000]'],
    ['null for a number', '[4,1,null,5500,5000]'],
    ['a number for a text', '[8,930,3000,1,7,1500,7650000,0]'],
    ['null for a text', '[8,930,3000,1,null,1500,7650000,0]'],
    ['a sum that is none', '[8,930,3000,1,"gil",1500,"7650000.5",0]'],
    ['a word outside its list', '[5,910,0,2,1,1200,5000,6,700]'],
    ['a third side', '[5,910,0,2,2,1200,5000,1,700]'],
    ['a record from before all time', '[6,910,50001,1,0,920,5000,300,700,500]'],
    ['more levels than it has', '[3,2,88,2500,5500,1000000000,2500,400,3]'],
  ] as const) {
    test(`with ${what} is a bug of ours`, () => assertMalformed(body))
  }
})

function assertMalformed(body: string): void {
  assert.throws(() => expand(ids, recordWith(body)), BrokenInvariant, body)
}

function headOf({ operatorId, marketId, createdAt }: Event): readonly unknown[] {
  return [operatorId, marketId, createdAt]
}
