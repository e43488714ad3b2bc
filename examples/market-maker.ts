// A market maker that quotes both sides of an outcome around a fair price, and shifts its quotes
// against its inventory. A dead-man switch cancels its quotes should it stop, and an order group
// should they be filled too fast. Run it with:
// KEY=... MARKET=... FAIR=0.6 npx node examples/market-maker.ts

import { isOutcryError, type LiveBook } from '../client/src/outcry.ts'
import { connect, end, needed } from './connect.ts'

const marketId = needed('MARKET', 'the id of an open market')
const fair = Number(process.env.FAIR ?? '0.5')
const playerId = 'maker'
const spread = 0.04
const shares = 50
const sets = 1_000
/** Quotes are cancelled if nothing is heard of this program for so long. */
const timeoutMs = 10_000
/** They are cancelled, too, with the trade that fills more than this within 15 seconds. */
const limitShares = 150
/** How far the quotes move per share of inventory. */
const shiftPerShare = 0.0005

type Side = 'BUY' | 'SELL'
type Quote = { readonly orderId: string; readonly price: number; filled: number }

const client = await connect()
const quotes = new Map<Side, Quote>()
let inventory = 0

/** Records new fills of a quote, and forgets a quote that is closed. */
async function review(side: Side): Promise<void> {
  const quote = quotes.get(side)
  if (quote === undefined) return
  const { filledShares, status } = await client.orders.get(quote.orderId)
  const fresh = Number(filledShares) - quote.filled
  if (fresh > 0) console.log(`${side} ${fresh} at ${quote.price}`)
  quote.filled += fresh
  inventory += side === 'BUY' ? fresh : -fresh
  if (status !== 'PENDING' && status !== 'PARTIAL') quotes.delete(side)
}

/** The price to quote, which never matches at once. */
function quotePrice(side: Side, book: LiveBook): number {
  const middle = fair - inventory * shiftPerShare
  const price = side === 'BUY' ? middle - spread / 2 : middle + spread / 2
  const bounded =
    side === 'BUY'
      ? Math.min(price, (book.bestAsk ?? 1) - 0.01)
      : Math.max(price, (book.bestBid ?? 0) + 0.01)
  return Math.round(Math.min(Math.max(bounded, 0.01), 0.99) * 100) / 100
}

async function withdraw(side: Side): Promise<void> {
  const quote = quotes.get(side)
  if (quote === undefined) return
  try {
    await client.orders.cancel(quote.orderId)
  } catch (error) {
    if (!isOutcryError(error, 'ORDER_CANNOT_CANCEL')) throw error
  }
  await review(side)
}

async function requote(side: Side, book: LiveBook): Promise<void> {
  await review(side)
  const price = quotePrice(side, book)
  if (quotes.get(side)?.price === price) return
  await withdraw(side)
  const { marketId, outcomeId } = book
  const quote = { playerId, side, shares, price, type: 'LIMIT', orderGroupId } as const
  const { order: placed } = await client.orders.place({ marketId, outcomeId, ...quote })
  quotes.set(side, { orderId: placed.id, price, filled: 0 })
  await review(side)
  if (quotes.has(side)) await showPlace(side, placed.id)
}

async function showPlace(side: Side, orderId: string): Promise<void> {
  try {
    const { ordersAhead, sharesAhead } = await client.orders.queue(orderId)
    console.log(`${side} quote: ${ordersAhead} orders with ${sharesAhead} shares are ahead`)
  } catch (error) {
    // It was filled meanwhile.
    if (!isOutcryError(error, 'ORDER_NOT_OPEN')) throw error
  }
}

/** Resolves when the switch is armed, with the end of keeping it alive. */
async function armed(signal: AbortSignal): Promise<{ readonly kept: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const onArmed = () => resolve({ kept })
    const kept = client.deadMan.keepAlive({ timeoutMs, playerId }, { signal, onArmed })
    kept.catch(reject)
  })
}

async function mintSets() {
  try {
    const market = await client.markets.get(marketId)
    await client.markets.mint(market.id, { playerId, shares: sets })
    return market
  } catch (error) {
    if (!isOutcryError(error)) throw error
    return end(`Cannot quote the MARKET ${marketId}: ${error.message}`)
  }
}

/** Quotes both sides; returns whether it may go on. */
async function quoteIn(book: LiveBook): Promise<boolean> {
  try {
    for (const side of ['BUY', 'SELL'] as const) await requote(side, book)
    return true
  } catch (error) {
    if (!isOutcryError(error, 'ORDER_GROUP_TRIGGERED')) throw error
    const { matchedShares } = await client.orderGroups.get(orderGroupId)
    console.log(`stopping: ${matchedShares} shares were filled within 15 seconds`)
    return false
  }
}

const market = await mintSets()
const { id: orderGroupId } = await client.orderGroups.create({ playerId, limitShares })
const stream = client.stream()
const book = await stream.liveBook(market.id, market.outcomes[0]?.id ?? '').ready()
process.once('SIGINT', () => book.close())
const stopping = new AbortController()
const { kept } = await armed(stopping.signal)
// Quotes are gone then: whether to go on is for a person to decide.
kept.catch(() => book.close())
console.log(`quoting ${market.title} around ${fair}`)

// Every fill changes the book, so it is enough to wait for changes of the book.
for await (const now of book) {
  // While disconnected, quotes stay in the book; they are reviewed when the book is live again.
  if (!now.isLive) continue
  // Whether to go on is for a person to decide then, too.
  if (!(await quoteIn(now))) book.close()
}
for (const side of ['BUY', 'SELL'] as const) await withdraw(side)
stream.close()
await client.orderGroups.delete(orderGroupId)
stopping.abort()
await kept.catch((error: unknown) => end(`The dead-man switch was not kept alive: ${error}`))
console.log(`stopped with an inventory change of ${inventory} shares`)
