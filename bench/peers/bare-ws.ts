// The upper bound for a stream: `ws` alone. Each POST sends its body to every client, in a plain
// loop.

import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

const clients = new Set<WebSocket>()
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    for (const client of clients) client.send(text)
    response.writeHead(204).end()
  })
})
server.keepAliveTimeout = 72_000
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (client) => clients.add(client))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  console.log(`Bare ws: http://127.0.0.1:${port}`)
})
process.once('SIGTERM', () => {
  for (const client of clients) client.terminate()
  server.close()
  server.closeAllConnections()
})
