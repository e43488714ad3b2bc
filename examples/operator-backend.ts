// An operator's backend: it sends orders that players can pay for, books wallets from events alone,
// and pays out. The service must run with WEBHOOK_ALLOW_INSECURE=true, because it sends the
// webhooks to this machine. Run it with: KEY=... npx node examples/operator-backend.ts

import { createServer } from 'node:http'
import {
  type Event,
  type EventStart,
  type EventsRewound,
  isEventsRewound,
  isOutcryError,
  newTransactionId,
  readDelivery,
} from '../client/src/outcry.ts'
import { connect, end } from './connect.ts'
import { textOf, unitsOf, Wallets } from './wallets.ts'

const client = await connect()
const wallets = new Wallets()
const players = ['ann', 'bob']
const deposit = unitsOf(100)

type PayloadOf<Type extends Event['eventType']> = Extract<Event, { eventType: Type }>['payload']
type Fill = PayloadOf<'ORDER_MATCHED'>
type Payout = PayloadOf<'SETTLEMENT_COMPLETED'>

type LimitOrder = {
  readonly marketId: string
  readonly outcomeId: string
  readonly playerId: string
  readonly side: 'BUY' | 'SELL'
  readonly shares: number
  readonly price: number
}

/** Locks the money first, because the service knows no balances. */
async function place(order: LimitOrder): Promise<void> {
  const transactionId = newTransactionId()
  const { maxCost } = await client.orders.preview({ ...order, type: 'LIMIT' })
  const needed = order.side === 'BUY' ? unitsOf(maxCost) : 0n
  if (!wallets.lock(order.playerId, transactionId, needed)) {
    console.log(`${order.playerId} cannot pay ${textOf(needed)}`)
    return
  }
  try {
    await client.orders.place({ ...order, type: 'LIMIT', transactionId })
  } catch (error) {
    // A 4xx is a definite rejection. After any other failure the order may exist: keep the lock and
    // repeat the request with the same transactionId.
    if (isOutcryError(error) && error.status >= 400 && error.status < 500) {
      wallets.release(transactionId)
    }
    throw error
  }
}

/** How far the events are booked. A real backend stores it together with its wallets. */
let position: EventStart = {}

/** Handles every event once, in order. A webhook only triggers this. */
async function catchUp(): Promise<void> {
  const events = client.events.each(position)
  try {
    for await (const event of events) {
      await handle(event)
      position = events.position ?? position
    }
  } catch (error) {
    if (isEventsRewound(error)) stopAfterRestore(error)
    throw error
  }
}

/** Events that are booked may be gone, so nothing more is booked before a person has compared. */
function stopAfterRestore({ message, details }: EventsRewound): never {
  const { latestSequence, historyId } = details
  console.error(message)
  console.error('No more events are booked. Compare the wallets with the trades, positions and')
  console.error(
    `settlements of the exchange, then continue after ${latestSequence} of ${historyId}.`,
  )
  process.exit(1)
}

async function handle(event: Event): Promise<void> {
  if (event.eventType === 'ORDER_MATCHED') bookFill(event.payload)
  else if (event.eventType === 'ORDER_CANCELLED') wallets.release(event.payload.transactionId)
  else if (event.eventType === 'ORDER_PLACED' && event.payload.status === 'REJECTED') {
    wallets.release(event.payload.transactionId)
  } else if (event.eventType === 'SETTLEMENT_COMPLETED') await payOut(event.payload)
}

/** The event has all that is booked: nothing is read, and no fee is computed. */
function bookFill({ fee, playerId, price, shares, side, status, transactionId }: Fill): void {
  if (fee === null || playerId === null) {
    throw new Error('An earlier version has recorded this event: read its order and its trade.')
  }
  const amount = (unitsOf(shares) * unitsOf(price)) / unitsOf(1)
  if (side === 'BUY') wallets.charge({ playerId, transactionId, units: amount + unitsOf(fee) })
  else wallets.credit(playerId, amount - unitsOf(fee))
  if (status === 'FILLED') wallets.release(transactionId)
  console.log(`${playerId}: ${side} ${shares} at ${price}, fee ${textOf(unitsOf(fee))}`)
}

/** Pays what the position is worth, and reports the payment. */
async function payOut({ playerId, settlementId, totalPayout }: Payout): Promise<void> {
  wallets.credit(playerId, unitsOf(totalPayout))
  const transactionId = `payout-${settlementId}`
  await client.settlements.acknowledge(settlementId, { transactionId, status: 'COMPLETED' })
}

/** Runs one catch-up at a time, so that no event is handled twice. */
let catchingUp = Promise.resolve()
function wake(): Promise<void> {
  catchingUp = catchingUp.then(catchUp)
  return catchingUp
}

async function createWebhook(url: string) {
  try {
    return await client.webhooks.create({ url })
  } catch (error) {
    if (!isOutcryError(error, 'VALIDATION_ERROR')) throw error
    return end(`${url} is refused (${error.message}): start with WEBHOOK_ALLOW_INSECURE=true.`)
  }
}

async function receiveWebhooks() {
  let secret = ''
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const delivery = await readDelivery(secret, body, request.headers)
    response.writeHead(delivery === null ? 401 : 204).end()
    if (delivery !== null) await wake()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const webhook = await createWebhook(`http://127.0.0.1:${port}/`)
  secret = webhook.secret
  return async () => {
    await client.webhooks.delete(webhook.id)
    server.close()
    server.closeAllConnections()
  }
}

/** Throws unless the wallets are what the service says that the players have paid and received. */
async function checkBooks(marketId: string): Promise<void> {
  const { operators, payouts } = await client.markets.reconciliation(marketId)
  let total = deposit * BigInt(players.length) + unitsOf(payouts)
  for (const { minted, redeemed, bought, sold, fees } of operators) {
    total += unitsOf(redeemed) + unitsOf(sold)
    total -= unitsOf(minted) + unitsOf(bought) + unitsOf(fees)
  }
  for (const playerId of players) {
    const { currencies } = await client.players.exposure(playerId)
    const open = currencies.reduce(
      (sum, { openBuyCost, openBuyFees }) => sum + unitsOf(openBuyCost) + unitsOf(openBuyFees),
      0n,
    )
    if (open !== wallets.locked(playerId)) throw new Error(`The locks of ${playerId} are wrong.`)
    total -= wallets.balance(playerId) + open
  }
  if (total !== 0n) throw new Error('The wallets differ from the reconciliation.')
  console.log('the wallets agree with the exposure and the reconciliation')
}

const earlier = client.events.each()
for await (const _ of earlier);
position = earlier.position ?? position
const stopReceiving = await receiveWebhooks()
for (const playerId of players) wallets.credit(playerId, deposit)

const { id: marketId } = await client.markets.create({ title: 'Will it rain tomorrow?' })
const { outcomes } = await client.markets.open(marketId)
const outcomeId = outcomes[0]?.id ?? ''
const sets = await client.markets.mint(marketId, { playerId: 'ann', shares: 20 })
wallets.credit('ann', -unitsOf(sets.amount))

await place({ marketId, outcomeId, playerId: 'ann', side: 'SELL', shares: 10, price: 0.6 })
await place({ marketId, outcomeId, playerId: 'bob', side: 'BUY', shares: 10, price: 0.65 })
await place({ marketId, outcomeId, playerId: 'bob', side: 'BUY', shares: 5, price: 0.3 })
await place({ marketId, outcomeId, playerId: 'bob', side: 'BUY', shares: 500, price: 0.5 })
await wake()
await checkBooks(marketId)

await client.markets.close(marketId)
const resolution = { winningOutcomeId: outcomeId, resolutionSource: 'https://example.com/weather' }
await client.markets.resolve(marketId, resolution)
await client.markets.settle(marketId)
await wake()
await stopReceiving()
await checkBooks(marketId)
for (const playerId of players) {
  console.log(`${playerId} has ${textOf(wallets.balance(playerId))}`)
}
