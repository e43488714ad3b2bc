// Which bytes are a plain request, and which are left to the HTTP parser.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type PlainRequest, plainRequestOf } from './plain-request.ts'

const body = '{"a":"ü"}'
const usual = [
  'POST /api/v1/orders HTTP/1.1',
  'Host: 127.0.0.1:8084',
  'X-Api-Key: oc_live_1',
  'Content-Type: application/json',
  `Content-Length: ${Buffer.byteLength(body)}`,
]

function bytesOf(lines: readonly string[], rest = body): Buffer {
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${rest}`)
}

/** The usual request with one line in place of another, or one more. */
function withLine(line: string): Buffer {
  const name = line.slice(0, line.indexOf(':') + 1).toLowerCase()
  const others = usual.filter((other) => !other.toLowerCase().startsWith(name))
  return bytesOf([...others, line])
}

suite('plain requests', () => {
  test('are parsed, whatever the case of their header names', () => {
    const bytes = bytesOf(usual)
    const none = { requestId: undefined, traceparent: undefined, idempotencyKey: undefined }
    const forwarding = { forwarded: undefined, 'x-forwarded-for': undefined }
    const read = { path: '/api/v1/orders', apiKey: 'oc_live_1', ...none, forwarding, body }
    assert.deepEqual(plainRequestOf(bytes), { ...read, length: bytes.length })
    const more = ['Idempotency-Key: k', 'traceparent: t', 'Accept: */*']
    const keyed = { ...read, idempotencyKey: 'k', traceparent: 't' }
    const all = bytesOf([...usual, ...more])
    assert.deepEqual(plainRequestOf(all), { ...keyed, length: all.length })
    assert.equal(plainRequestOf(bytesOf([...usual, 'Accept: application/problem+json'])), null)
    const shouted = usual.map((line, at) => (at === 0 ? line : line.replace(/^.*?:/, upper)))
    assert.deepEqual(plainRequestOf(bytesOf(shouted)), { ...read, length: bytes.length })
  })

  test('leave the bytes after them to the next request', () => {
    const one = bytesOf(usual)
    const two = Buffer.concat([one, Buffer.from('POST /api')])
    assert.equal(whole(two).length, one.length)
    assert.equal(whole(two).body, body)
  })

  test('may have headers that do not change their meaning', () => {
    for (const line of [
      'Accept: */*',
      'User-Agent: curl/8.5.0',
      'Connection: keep-alive',
      'connection: Keep-Alive',
      'Content-Type: application/json; charset=utf-8',
      'Accept-Encoding: gzip, deflate',
      'X-Nothing:',
      'Host:\t127.0.0.1 ',
    ]) {
      assert.equal(whole(withLine(line)).body, body, line)
    }
    assert.equal(whole(withLine('X-Request-Id:  mine-42\t')).requestId, 'mine-42')
    assert.equal(whole(bytesOf(usual.toSpliced(2, 1))).apiKey, undefined)
    const { forwarding } = whole(bytesOf([...usual, 'X-Forwarded-For: a, b', 'forwarded: for=c']))
    assert.deepEqual(forwarding, { 'x-forwarded-for': 'a, b', forwarded: 'for=c' })
  })

  for (const [title, lines] of Object.entries({
    'another method': ['PUT /api/v1/orders HTTP/1.1', ...usual.slice(1)],
    'an older protocol': ['POST /api/v1/orders HTTP/1.0', ...usual.slice(1)],
    'a query': ['POST /api/v1/orders?a=1 HTTP/1.1', ...usual.slice(1)],
    'a path to be decoded': ['POST /api/v1/order%73 HTTP/1.1', ...usual.slice(1)],
    'a whole address for a path': ['POST http://x/api/v1/orders HTTP/1.1', ...usual.slice(1)],
    'two spaces': ['POST  /api/v1/orders HTTP/1.1', ...usual.slice(1)],
    'no host': usual.toSpliced(1, 1),
    'two hosts': [...usual, 'Host: other'],
    'no type': usual.toSpliced(3, 1),
    'no length': usual.toSpliced(4, 1),
    'two lengths': [...usual, usual[4]!],
    'two keys': [...usual, 'x-api-key: oc_live_2'],
    'a folded line': [...usual, ' more'],
    'a space before the colon': [...usual, 'X-Nothing : 1'],
    'a line without a colon': [...usual, 'nothing'],
    'a name that is none': [...usual, 'X(Nothing): 1'],
    'a control character': [...usual, 'X-Nothing: a\u0001'],
    'a line that ends in half': [...usual, 'X-Nothing: a\nX-More: 1'],
    'letters of other alphabets': [...usual, 'X-Nothing: ü'],
    'a very long head': [...usual, `X-Nothing: ${'a'.repeat(5_000)}`],
  })) {
    test(`do not include a request with ${title}`, () => {
      assert.equal(plainRequestOf(bytesOf(lines)), null)
    })
  }

  for (const line of [
    'Transfer-Encoding: chunked',
    'Content-Encoding: gzip',
    'Expect: 100-continue',
    'Connection: close',
    'Connection: keep-alive, upgrade',
    'Upgrade: websocket',
    'TE: trailers',
    'Trailer: x',
    'Content-Type: text/plain',
    'Content-Type: application/json; charset=latin1',
    'Content-Length: -1',
    'Content-Length: +9',
    'Content-Length: 0x9',
    'Content-Length: 9, 9',
    'Content-Length:',
    'Content-Length: 999999',
  ]) {
    test(`do not include a request with ${line}`, () => {
      assert.equal(plainRequestOf(withLine(line)), null)
    })
  }

  test('are parsed once their body is complete; an incomplete head is not plain', () => {
    const bytes = bytesOf(usual)
    const headLength = bytes.length - Buffer.byteLength(body)
    for (let length = 0; length < bytes.length; length += 1) {
      const expected = length < headLength ? null : 'unfinished'
      assert.equal(plainRequestOf(bytes.subarray(0, length)), expected)
    }
  })
})

function whole(bytes: Buffer): PlainRequest {
  const request = plainRequestOf(bytes)
  assert(request !== null && request !== 'unfinished')
  return request
}

function upper(text: string): string {
  return text.toUpperCase()
}
