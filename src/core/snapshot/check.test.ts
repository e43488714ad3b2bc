// Records that were tampered with are refused, by loading them or by the check after it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  newExchange,
  participant,
  type Saved,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'
import { serial } from '../../../test/support/core/steps.ts'
import { BrokenInvariant } from '../assert.ts'
import { check } from './check.ts'
import { load } from './load.ts'

/** Ann still offers five of her nine shares, gil holds four and three, bob bids twice at 0.4. */
function soundExchange(): TestExchange {
  const exchange = newExchange()
  exchange.mint('ann', 10)
  exchange.mint('gil', 3, { operator: participant })
  exchange.sell('ann', 6, 0.6)
  exchange.buy('gil', 1, 0.6, { operator: participant })
  exchange.buy('bob', 2, 0.4)
  exchange.buy('bob', 2, 0.4)
  return exchange
}

/** Ann has sold all she had of the first outcome. */
function soldOut(): TestExchange {
  const exchange = soundExchange()
  exchange.sell('ann', 4, 0.6)
  exchange.buy('gil', 9, 0.6, { operator: participant })
  return exchange
}

function resolved(exchange: TestExchange): TestExchange {
  exchange.manage('close')
  exchange.manage('resolve')
  return exchange
}

type Tampering = {
  readonly change: (records: Saved) => void
  readonly message: RegExp
  readonly exchange?: () => TestExchange
}

const tamperings: Readonly<Record<string, Tampering>> = {
  'one share too many': {
    change: ({ positions }) => {
      positions[0]!.shares += 1
    },
    message: /each outcome has as many shares as there are complete sets/,
  },
  'shares moved from one outcome to another': {
    change: ({ positions }) => {
      positions[0]!.shares += 1
      positions[1]!.shares -= 1
    },
    message: /each outcome has as many shares as there are complete sets/,
  },
  'a position that is missing': {
    change: ({ positions }) => {
      positions.pop()
    },
    message: /each outcome has as many shares as there are complete sets/,
  },
  'one minted set too many': {
    change: ({ markets }) => {
      markets[0]!.setsMinted += 1n
    },
    message: /each outcome has as many shares as there are complete sets/,
  },
  'negative shares': {
    change: ({ positions }) => {
      positions[1]!.shares = -1
    },
    message: /a position has no more reserved than it holds/,
  },
  'a negative cost': {
    change: ({ positions }) => {
      positions[1]!.cost = -1n
    },
    message: /neither negative shares nor a negative cost/,
  },
  'a cost without shares': {
    change: ({ positions }) => {
      positions.find(({ shares }) => shares === 0)!.cost = 1n
    },
    message: /a position without shares has no cost/,
    exchange: soldOut,
  },
  'an offer of more than is held': {
    change: ({ orders }) => {
      orders.find(({ playerId }) => playerId === 'ann')!.shares = 1_001
    },
    message: /only held shares are reserved/,
  },
  'an open order that is filled': {
    change: ({ orders }) => {
      orders.find(({ playerId }) => playerId === 'ann')!.filled = 600
    },
    message: /an open order is not filled/,
  },
  'an open order without a price': {
    change: ({ orders }) => {
      orders.find(({ playerId }) => playerId === 'ann')!.price = 0
    },
    message: /a MARKET order never rests/,
  },
  'two orders in one place of a queue': {
    change: ({ orders }) => {
      orders.at(-1)!.queueSerial = orders.at(-2)!.queueSerial
    },
    message: /a level is first come first/,
  },
  'an order of an unknown outcome': {
    change: ({ orders }) => {
      orders[0]!.outcomeSerial = serial(orders[0]!.outcomeSerial + 1_000)
    },
    message: /an open order is of a loaded market/,
  },
  'a position of an unknown outcome': {
    change: ({ positions }) => {
      positions[0]!.outcomeSerial = serial(positions[0]!.outcomeSerial + 1_000)
    },
    message: /a position is of a loaded market/,
  },
  'a position twice': {
    change: ({ positions }) => {
      positions.push({ ...positions[0]!, serial: serial(positions[0]!.serial + 1_000) })
    },
    message: /a position is loaded once/,
  },
  'an unknown operator': {
    change: ({ positions }) => {
      positions[0]!.operatorId = 'nobody'
    },
    message: /every record names a loaded operator/,
  },
  'a resolution of a market that is not resolved': {
    change: ({ markets }) => {
      markets[0]!.status = 'CLOSED'
    },
    message: /a market has a resolution once it is resolved/,
    exchange: () => resolved(soundExchange()),
  },
  'payouts that are not one unit': {
    change: ({ markets }) => {
      markets[0]!.resolution = { ...markets[0]!.resolution!, payouts: [10_000, 1] }
    },
    message: /payouts sum to one unit/,
    exchange: () => resolved(soundExchange()),
  },
  'an open order in a settled market': {
    change: ({ markets }) => {
      markets[0]!.status = 'SETTLED'
    },
    message: /a settled market has no open orders/,
    exchange: () => resolved(soundExchange()),
  },
}

for (const [name, { change, message, exchange = soundExchange }] of Object.entries(tamperings)) {
  test(`a shard with ${name} is refused, and the same shard without it is not`, () => {
    const shard = exchange()
    const records = shard.save()
    shard.restart(structuredClone(records))
    check(shard.core)
    change(records)
    const refused = { name: BrokenInvariant.name, message }
    assert.throws(() => {
      shard.restart(records)
      check(shard.core)
    }, refused)
  })
}

test('records are loaded into an empty exchange only', () => {
  const exchange = soundExchange()
  assert.throws(() => load(exchange.core, exchange.save()), BrokenInvariant)
})

test('a crossed book is refused, one that nearly crosses is not', () => {
  for (const [price, isCrossed] of [
    [5_999, false],
    [6_000, true],
  ] as const) {
    const exchange = soundExchange()
    const records = exchange.save()
    for (const order of records.orders) if (order.side === 'BUY') order.price = price
    exchange.restart(records)
    if (isCrossed) assert.throws(() => check(exchange.core), /never crossed/)
    else check(exchange.core)
  }
})
