// The upper bound for HTTP: node:http alone. It reads the body of each request and sends the same
// answer every time, of the size in ANSWER_BYTES. It parses, stores and decides nothing.

import { createServer } from 'node:http'

const answer = answerOf(Number(process.env.ANSWER_BYTES ?? 700))
const head = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': answer.length }

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    Buffer.concat(chunks)
    response.writeHead(201, head).end(answer)
  })
})
// The default of Fastify: the load keeps its connections open throughout.
server.keepAliveTimeout = 72_000

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  console.log(`Bare node:http: http://127.0.0.1:${port}`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})

// A string and not a buffer: Node then sends head and body in one write, which costs 10 % less.
function answerOf(bytes: number): string {
  const frame = '{"success":true,"data":""}'
  return frame.replace('""', `"${'x'.repeat(Math.max(0, bytes - frame.length))}"`)
}
