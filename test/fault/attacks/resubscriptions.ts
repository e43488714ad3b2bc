// Stream clients without a key that subscribe again and again to every book of a large market:
// each message asks for hundreds of snapshots.

import { WebSocket } from 'ws'
import type { Attack } from './support/attack.ts'
import { newMarket } from './support/large-book.ts'

const outcomes = 256
const connections = 50
/** Below the number of messages that a connection may send. */
const messagesPerSecond = 8

export const resubscriptions: Attack = {
  name: 'resubscriptions',
  expected: 'snapshot',
  prepare: async ({ url, operator, address, signal, count, repeat }) => {
    const names = Array.from({ length: outcomes }, (_, number) => ({ name: `Runner ${number}` }))
    const { id } = await newMarket(operator, { outcomes: names })
    const message = JSON.stringify({
      op: 'subscribe',
      channels: ['orderbook', 'prices'],
      marketIds: [id],
    })
    const from = address === undefined ? {} : { localAddress: address }
    const sockets: WebSocket[] = []
    // A connection that was closed, or refused, is opened again with its next message.
    const send = (at: number) => {
      const socket = sockets[at]
      if (socket?.readyState === WebSocket.OPEN) {
        socket.send(message)
        return
      }
      if (socket?.readyState === WebSocket.CONNECTING) return
      const opened = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, from)
      opened.on('error', () => count('error'))
      opened.on('message', (data) => {
        if (String(data).startsWith('{"type":"orderbook.snapshot"')) count('snapshot')
      })
      opened.on('close', (code) => count(`closed ${code}`))
      sockets[at] = opened
    }
    signal.addEventListener('abort', () => {
      for (const socket of sockets) socket.terminate()
    })
    return () => {
      repeat(connections * messagesPerSecond, async (number) => {
        send(number % connections)
        return { status: 0 }
      })
    }
  },
}
