// What a client is made with: keys that cannot be sent are refused, and never shown.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutcryClient } from './client.ts'

const baseUrl = 'http://127.0.0.1:8084'

test('a key that cannot be a header is refused at once, without being shown', () => {
  for (const name of ['apiKey', 'adminKey']) {
    for (const key of ['secret\nsecret', 'secret secret', 'secret\u0000', 'secret\u20ac']) {
      assert.throws(
        () => new OutcryClient({ baseUrl, [name]: key }),
        (error: Error) => error.message.startsWith(name) && !String(error.stack).includes('secret'),
      )
    }
  }
})

test('an address that leads nowhere is refused at once', () => {
  for (const wrong of [undefined, '', '127.0.0.1:8084', 'localhost:8084', 'ftp://x', '/api/v1']) {
    assert.throws(
      () => new OutcryClient({ baseUrl: wrong as string }),
      /^TypeError: baseUrl must be an address such as http:\/\/127\.0\.0\.1:8084; it is /,
    )
  }
  for (const right of [baseUrl, `${baseUrl}/`, 'https://exchange.example/behind']) {
    assert.ok(new OutcryClient({ baseUrl: right }))
  }
})

test('the line end of a file does not belong to its key', async () => {
  const sent: unknown[] = []
  const fetch = async (_url: unknown, init?: RequestInit) => {
    sent.push(init?.headers)
    return Response.json({ success: true, data: {} })
  }
  await new OutcryClient({ baseUrl, apiKey: 'k-1\n', fetch }).statistics()
  assert.deepEqual(sent, [{ 'x-api-key': 'k-1' }])
})
