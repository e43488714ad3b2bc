// The constructor of the client checks its address and keys, and never shows a key.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutcryClient } from './client.ts'
import { userAgent } from './version.ts'

const baseUrl = 'http://127.0.0.1:8084'

test('the constructor rejects a key that is no valid header, without showing it', () => {
  for (const name of ['apiKey', 'adminKey']) {
    for (const key of ['secret\nsecret', 'secret secret', 'secret\u0000', 'secret\u20ac']) {
      assert.throws(
        () => new OutcryClient({ baseUrl, [name]: key }),
        (error: Error) => error.message.startsWith(name) && !String(error.stack).includes('secret'),
      )
    }
  }
})

test('the constructor rejects a baseUrl that is not an http or https URL', () => {
  for (const wrong of [undefined, '', '127.0.0.1:8084', 'localhost:8084', 'ftp://x', '/api/v1']) {
    assert.throws(
      () => new OutcryClient({ baseUrl: wrong as string }),
      /^TypeError: baseUrl must be a URL such as http:\/\/127\.0\.0\.1:8084, got /,
    )
  }
  for (const right of [baseUrl, `${baseUrl}/`, 'https://exchange.example/behind']) {
    assert.ok(new OutcryClient({ baseUrl: right }))
  }
})

test('a line end after a key is not sent', async () => {
  const sent: unknown[] = []
  const fetch = async (_url: unknown, init?: RequestInit) => {
    sent.push(init?.headers)
    return Response.json({ success: true, data: {} })
  }
  await new OutcryClient({ baseUrl, apiKey: 'k-1\n', fetch }).statistics()
  assert.deepEqual(sent, [{ 'user-agent': userAgent, 'x-api-key': 'k-1' }])
})

test('an id that addresses drop is refused, and nothing is sent', async () => {
  const fetch = async () => assert.fail('a request was sent')
  const client = new OutcryClient({ baseUrl, apiKey: 'k-1', fetch })
  for (const playerId of ['.', '..']) {
    await assert.rejects(client.players.putControls(playerId, { mode: 'OPEN' }), /no address can/)
  }
})
