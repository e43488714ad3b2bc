// A first trade with the rules alone: ann mints complete sets and offers shares of Yes, bob buys.
// Run it with: npx node examples/first-trade.ts

import { placementOf } from '../src/core/events/answer.ts'
import { expand, recordEvents, storedRecordOf } from '../src/core/events/events.ts'
import { Ids } from '../src/core/ids.ts'
import { createMarket } from '../src/core/markets/create-market.ts'
import { manage } from '../src/core/markets/lifecycle.ts'
import { advance } from '../src/core/markets/schedule.ts'
import { changeSets } from '../src/core/markets/sets.ts'
import { decimals, type FeeRate, type Price, type Shares, textOf } from '../src/core/money.ts'
import { place } from '../src/core/orders/place.ts'
import { Exchange } from '../src/core/state/exchange.ts'

// Whole numbers only: hundredths of a share, ticks of 0.0001, hundredths of a percent.
const bounds = { sharesMin: 100 as Shares, sharesMax: 10_000_000 as Shares }
const limits = { priceMin: 100 as Price, priceMax: 9_900 as Price, feeRate: 200 as FeeRate }
const exchange = new Exchange({ ...bounds, ...limits }, new Ids({ shard: 0, key: [1, 2] }))
advance(exchange, Date.UTC(2026, 0, 1), 1_000)

// Every command answers null, or a rejection that says why not. Without outcomes: Yes and No.
const operator = exchange.putOperator({ id: 'acme', supportedCurrencies: ['USD'], feeRate: null })
const texts = { title: 'Rain tomorrow?', description: null, imageUrl: null, metadata: null }
const always = { tradingStartsAt: null, tradingEndsAt: null }
const plain = { categoryId: null, outcomes: null, isShared: false, hasCompleteSetMatching: false }
createMarket(exchange, { operator, currency: 'USD', ...texts, ...always, ...plain })
const market = [...exchange.markets][0]!
const about = { operator, marketSerial: market.serial, transactionId: null, options: 0 }
manage(exchange, { ...about, action: 'open' })
changeSets(exchange, { ...about, kind: 'MINT', playerId: 'ann', shares: 10_000 as Shares })

const yes = { outcomeSerial: market.books[0]!.serial, type: 'LIMIT', expiresAt: null } as const
const offer = { playerId: 'ann', side: 'SELL', shares: 4_000 as Shares } as const
const bid = { playerId: 'bob', side: 'BUY', shares: 2_500 as Shares } as const
place(exchange, { ...about, ...yes, ...offer, price: 6_000 as Price })
place(exchange, { ...about, ...yes, ...bid, price: 6_500 as Price })

for (const trade of placementOf(exchange, exchange.journal.current).trades) {
  const price = textOf(trade.price, decimals.price)
  console.log(`bob bought ${textOf(trade.shares, decimals.shares)} shares of Yes at ${price}`)
}
// The events of a turn are small records, which become full events where they are read.
for (const record of recordEvents(exchange).map(storedRecordOf)) {
  for (const { sequence, eventType } of expand(exchange.ids, record)) {
    console.log(sequence, eventType)
  }
}
exchange.endTurn()
