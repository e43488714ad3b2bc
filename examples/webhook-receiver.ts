// Receives webhooks: verifies the signature over the raw body, and handles each event once.
// Run it with: SECRET=... PORT=9000 npx node examples/webhook-receiver.ts

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { SECRET = '', PORT = '9000' } = process.env
if (SECRET === '') {
  console.error('SECRET is missing: set it to the secret of the webhook.')
  process.exit(1)
}
const handled = new Set<number>()

const server = createServer(async (request, response) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)

  // Sign the raw bytes: parsing and serializing JSON would change them.
  const expected = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  const given = String(request.headers['x-webhook-signature'])
  const isValid =
    given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  if (!isValid) {
    console.error('refused a delivery that was not signed with SECRET')
    response.writeHead(401).end()
    return
  }

  // Answer first: the service counts an answer after more than 10 seconds as a failure.
  response.writeHead(204).end()
  const { sequence, eventType } = JSON.parse(body.toString())
  if (handled.has(sequence)) return
  handled.add(sequence)
  console.log(sequence, eventType)
})
server.once('error', ({ message }) => {
  console.error(`Cannot receive on PORT ${PORT}: ${message}`)
  process.exit(1)
})
server.listen(Number(PORT), '127.0.0.1', () => console.log('listening'))
