// Clients that ignore their refusals: many connections that pipeline requests as fast as they are
// answered, over the limit of their operator, or with a wrong key.

import { connect } from 'node:net'
import type { Attack, AttackContext } from './support/attack.ts'
import { newMarket, restingOrder } from './support/large-book.ts'

const connections = 100
const pipelined = 16

type Flood = { readonly name: string; readonly status: number; readonly isFast: boolean }

export const refusedOrders = flood({ name: 'refused-orders', status: 429, isFast: true })
export const refusedReads = flood({ name: 'refused-reads', status: 429, isFast: false })
export const refusedKeys = flood({ name: 'refused-keys', status: 401, isFast: false })

function flood({ name, status, isFast }: Flood): Attack {
  return {
    name,
    expected: `${status}`,
    // So low that the victim alone stays below it, and nearly all of the flood is refused.
    isAlone: true,
    env: { RATE_LIMIT_ORDERS: '200', RATE_LIMIT_REQUESTS: '200' },
    prepare: async (context) => {
      const key = status === 401 ? 'wrong' : context.key
      const order = restingOrder(await newMarket(context.operator), 0)
      const request = requestOf(`Host: x\r\nX-Api-Key: ${key}\r\n`, isFast ? order : null)
      return () => {
        for (let opened = 0; opened < connections; opened += 1) pipeline(context, request)
      }
    },
  }
}

/** Places the order; without one, reads something that costs little. */
function requestOf(headers: string, order: object | null): string {
  if (order === null) return `GET /api/v1/webhooks HTTP/1.1\r\n${headers}\r\n`
  const body = JSON.stringify(order)
  const json = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  return `POST /api/v1/orders HTTP/1.1\r\n${headers}${json}\r\n${body}`
}

/** Sends the next request for every answer. */
function pipeline(context: AttackContext, request: string): void {
  const { url, address, signal, count } = context
  const { hostname, port } = new URL(url)
  const from = address === undefined ? {} : { localAddress: address }
  const socket = connect({ port: Number(port), host: hostname, ...from })
  const onAbort = () => socket.destroy()
  signal.addEventListener('abort', onAbort)
  socket.on('error', () => count('error'))
  socket.on('close', () => {
    signal.removeEventListener('abort', onAbort)
    if (!signal.aborted) pipeline(context, request)
  })
  socket.setEncoding('latin1').on('data', (text: string) => {
    // A status line that is split between two parts is not counted, which matters to no one here.
    const answers = text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? []
    for (const answer of answers) count(answer)
    if (answers.length > 0) socket.write(request.repeat(answers.length))
  })
  socket.write(request.repeat(pipelined))
}
