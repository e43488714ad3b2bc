// An operator's backend: it keeps wallets, sends orders that players can pay for, follows their
// events, and pays out. The service must run with WEBHOOK_ALLOW_INSECURE=true, because it sends the
// webhooks to this machine. Run it with: KEY=... npx node examples/operator-backend.ts

import { createServer } from 'node:http'
import {
  type Event,
  isOutcryError,
  newTransactionId,
  OutcryClient,
  readDelivery,
} from '../client/src/outcry.ts'
import { textOf, unitsOf, Wallets } from './wallets.ts'

// As the first start of the service prints them.
const { URL: baseUrl = 'http://127.0.0.1:8084', KEY: apiKey = '', FEE_PERCENT = '2' } = process.env
const client = new OutcryClient({ baseUrl, apiKey })
const wallets = new Wallets()
const feePercent = unitsOf(FEE_PERCENT)

/** Shares x price, and the fee on it. */
function costOf(shares: number, price: number): { amount: bigint; fee: bigint } {
  const amount = (unitsOf(shares) * unitsOf(price)) / unitsOf(1)
  return { amount, fee: (amount * feePercent) / unitsOf(100) }
}

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
  const { amount, fee } = costOf(order.shares, order.price)
  const needed = order.side === 'BUY' ? amount + fee : 0n
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

let lastSequence = 0

/** Handles every event once, in order. A webhook only triggers this. */
async function catchUp(): Promise<void> {
  for await (const event of client.events.each({ since: lastSequence })) {
    await handle(event)
    lastSequence = event.sequence
  }
}

async function handle(event: Event): Promise<void> {
  if (event.eventType === 'ORDER_MATCHED') {
    const { orderId, side, shares, price, status } = event.payload
    const { playerId, transactionId } = await client.orders.get(orderId)
    const { amount, fee } = costOf(shares, price)
    if (side === 'BUY') wallets.charge(transactionId ?? '', amount + fee)
    else wallets.credit(playerId, amount - fee)
    if (status === 'FILLED') wallets.release(transactionId ?? '')
    console.log(`${playerId}: ${side} ${shares} at ${price}, fee ${textOf(fee)}`)
  } else if (event.eventType === 'ORDER_CANCELLED') {
    const { transactionId } = await client.orders.get(event.payload.orderId)
    wallets.release(transactionId ?? '')
  }
}

/** Runs one catch-up at a time, so that no event is handled twice. */
let catchingUp = Promise.resolve()
function wake(): Promise<void> {
  catchingUp = catchingUp.then(catchUp)
  return catchingUp
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
  const webhook = await client.webhooks.create({ url: `http://127.0.0.1:${port}/` })
  secret = webhook.secret
  return async () => {
    await client.webhooks.delete(webhook.id)
    server.close()
    server.closeAllConnections()
  }
}

/** Pays each settlement once, and acknowledges it. */
async function payOut(marketId: string): Promise<void> {
  for await (const settlement of client.settlements.each({ marketId })) {
    if (settlement.transactionId !== null) continue
    wallets.credit(settlement.playerId, unitsOf(settlement.totalPayout))
    const transactionId = `payout-${settlement.id}`
    await client.settlements.acknowledge(settlement.id, { transactionId, status: 'COMPLETED' })
  }
}

for await (const { sequence } of client.events.each()) lastSequence = sequence
const stopReceiving = await receiveWebhooks()
for (const playerId of ['ann', 'bob']) wallets.credit(playerId, unitsOf(100))

const { id: marketId } = await client.markets.create({ title: 'Will it rain tomorrow?' })
const { outcomes } = await client.markets.open(marketId)
const outcomeId = outcomes[0]?.id ?? ''
const sets = await client.markets.mint(marketId, { playerId: 'ann', shares: 20 })
wallets.credit('ann', -unitsOf(sets.amount))

await place({ marketId, outcomeId, playerId: 'ann', side: 'SELL', shares: 10, price: 0.6 })
await place({ marketId, outcomeId, playerId: 'bob', side: 'BUY', shares: 10, price: 0.65 })
await place({ marketId, outcomeId, playerId: 'bob', side: 'BUY', shares: 5, price: 0.3 })
await place({ marketId, outcomeId, playerId: 'bob', side: 'BUY', shares: 500, price: 0.5 })

await client.markets.close(marketId)
const resolution = { winningOutcomeId: outcomeId, resolutionSource: 'https://example.com/weather' }
await client.markets.resolve(marketId, resolution)
await client.markets.settle(marketId)
await payOut(marketId)
await wake()
await stopReceiving()
for (const playerId of ['ann', 'bob']) {
  console.log(`${playerId} has ${textOf(wallets.balance(playerId))}`)
}
