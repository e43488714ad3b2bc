// Connections that ask for much and read nothing, or that never finish a request.

import { connect, type Socket } from 'node:net'
import { StalledReader } from '../../support/stream/stalled-reader.ts'
import type { Attack, AttackContext } from './support/attack.ts'
import { fillBook, newMarket } from './support/large-book.ts'

const clients = 200
const pipelined = 8
/** Enough for pages that no buffer of the kernel holds. */
const orders = 2_000

export const slowReaders: Attack = {
  name: 'slow-readers',
  expected: '200',
  prepare: async (context) => {
    const { url, operator, anonymous, repeat, signal } = context
    const market = await newMarket(operator)
    await fillBook(operator, market, Math.min(orders, context.orders))
    const book = `/api/v1/markets/${market.id}/orderbook/${market.outcomeIds[0]}?depth=1000`
    const subscribe = { op: 'subscribe', channels: ['orderbook'], marketIds: [market.id] }
    const requests = `GET ${book} HTTP/1.1\r\nHost: slow\r\n\r\n`.repeat(pipelined)
    const open: { destroy(): unknown }[] = []
    signal.addEventListener('abort', () => {
      for (const client of open) client.destroy()
    })
    return () => {
      repeat(clients / 2, async (number) => {
        if (open.length > clients) open.shift()?.destroy()
        if (number % 3 === 0) open.push(silent(context, requests))
        else if (number % 3 === 1) open.push(silent(context, 'POST /api/v1/orders HTTP/1.1\r\n'))
        else {
          const reader = await StalledReader.open(url)
          open.push(reader)
          reader.send(subscribe)
        }
        return { status: 0 }
      })
      // Another client reads the same book as it should.
      repeat(10, () => anonymous.call('GET', book))
    }
  },
}

/** Sends a text and reads nothing. */
function silent({ url, address, count }: AttackContext, text: string): Socket {
  const { hostname, port } = new URL(url)
  const from = address === undefined ? {} : { localAddress: address }
  const socket = connect({ port: Number(port), host: hostname, ...from })
  socket.on('error', () => count('error'))
  socket.pause()
  socket.write(text)
  return socket
}
