// Very many connections, most of them idle, with new ones all the time.

import { connect, type Socket } from 'node:net'
import type { Attack } from './support/attack.ts'

const openMax = 1_000
const perSecond = 200

export const connections: Attack = {
  name: 'connections',
  expected: 'answer',
  prepare: async ({ url, address, signal, count, repeat }) => {
    const { hostname, port } = new URL(url)
    const from = address === undefined ? {} : { localAddress: address }
    const open: Socket[] = []
    signal.addEventListener('abort', () => {
      for (const socket of open) socket.destroy()
    })
    return () => {
      repeat(perSecond, async (number) => {
        const socket = connect({ port: Number(port), host: hostname, ...from })
        socket.on('error', () => count('error'))
        // Every other connection sends something.
        if (number % 2 === 0) socket.write('GET /health HTTP/1.1\r\nHost: many\r\n\r\n')
        socket.once('data', () => count('answer'))
        socket.resume()
        open.push(socket)
        if (open.length > openMax) open.shift()?.destroy()
        return { status: 0 }
      })
    }
  },
}
