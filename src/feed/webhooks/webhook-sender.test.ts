// Attempts at real receivers, well-behaved and not, and addresses that are never connected to.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import {
  Receiver,
  type Respond,
  respondOk,
  until,
} from '../../../test/support/webhooks/receiver.ts'
import { receiverCertificate } from '../../../test/support/webhooks/receiver-certificate.ts'
import {
  type AttemptResult,
  answerBytesMax,
  WebhookSender,
  type WebhookSenderOptions,
} from './webhook-sender.ts'

const anywhere = { urlError: () => null, isAllowed: () => true }
const body = Buffer.from('{"text":"Wetter ☔ 天気","sequence":7}')
const headers = { 'Content-Type': 'application/json', 'X-Webhook-Id': 'some-id' }
const closing: (() => unknown)[] = []
after(async () => {
  for (const close of closing) await close()
})

function senderOf(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const resolve = async () => ['127.0.0.1']
  const sender = new WebhookSender({
    addressFilter: anywhere,
    resolve,
    ca: receiverCertificate,
    ...options,
  })
  closing.push(() => sender.close())
  return sender
}

async function receiverOf(respond?: Respond, options?: Parameters<typeof Receiver.open>[1]) {
  const receiver = await Receiver.open(respond, options)
  closing.push(() => receiver.close())
  return receiver
}

type Outcome = Pick<AttemptResult, 'httpStatus' | 'error'>

function assertOutcome({ httpStatus, error, response }: AttemptResult, expected: Outcome): void {
  assert.deepEqual({ httpStatus, error }, expected)
  assert.equal(response === null, httpStatus === null)
}

describe('an attempt', () => {
  test('posts the bytes and the headers it is given, to path and query', async () => {
    const receiver = await receiverOf()
    const url = `${receiver.url}/a%20b?c=d&e#f`
    assertOutcome(await senderOf().attempt({ url, headers, body }), {
      httpStatus: 200,
      error: null,
    })
    const [received] = receiver.received
    assert.equal(received?.method, 'POST')
    assert.equal(received?.path, '/hook/a%20b?c=d&e')
    assert.deepEqual(received?.body, body)
    assert.equal(received?.headers['x-webhook-id'], 'some-id')
    assert.equal(received?.headers.host, `127.0.0.1:${receiver.port}`)
  })

  test('over https uses the name for certificate and host, and the checked address', async () => {
    const receiver = await receiverOf(respondOk, { isSecure: true })
    const url = `https://receiver.test:${receiver.port}/hook`
    assert.equal((await senderOf().attempt({ url, headers, body })).error, null)
    assert.equal(receiver.received[0]?.headers.host, `receiver.test:${receiver.port}`)
  })

  test('over https fails if the certificate is not trusted or for another name', async () => {
    const receiver = await receiverOf(respondOk, { isSecure: true })
    const untrusted = new WebhookSender({
      addressFilter: anywhere,
      resolve: async () => ['127.0.0.1'],
    })
    closing.push(() => untrusted.close())
    const known = `https://receiver.test:${receiver.port}/hook`
    const other = `https://other.test:${receiver.port}/hook`
    assert.match(
      (await untrusted.attempt({ url: known, headers, body })).error ?? '',
      /SELF_SIGNED/,
    )
    assert.match((await senderOf().attempt({ url: other, headers, body })).error ?? '', /ALTNAME/)
    assert.equal(receiver.received.length, 0)
  })

  for (const status of [200, 201, 202, 204, 299]) {
    test(`is a success with ${status}`, async () => {
      const receiver = await receiverOf((response) => response.writeHead(status).end())
      const outcome = await senderOf().attempt({ url: receiver.url, headers, body })
      assertOutcome(outcome, { httpStatus: status, error: null })
    })
  }

  for (const status of [300, 304, 400, 404, 410, 429, 500, 503]) {
    test(`is a failure with ${status}`, async () => {
      const receiver = await receiverOf((response) => response.writeHead(status).end())
      const outcome = await senderOf().attempt({ url: receiver.url, headers, body })
      assert.equal(outcome.httpStatus, status)
      assert.match(outcome.error ?? '', new RegExp(`was ${status}`))
    })
  }

  test('reuses its connection, and is not repeated if that connection is closed', async () => {
    const receiver = await receiverOf()
    const sender = senderOf()
    for (let turn = 0; turn < 5; turn += 1) {
      assert.equal((await sender.attempt({ url: receiver.url, headers, body })).error, null)
    }
    assert.equal(receiver.connections, 1)
    receiver.respond = (_response, _received, socket) => socket.destroy()
    const cut = await sender.attempt({ url: receiver.url, headers, body })
    assertOutcome(cut, { httpStatus: null, error: 'The connection failed: ECONNRESET.' })
    assert.equal(receiver.received.length, 6)
    receiver.respond = (response) => response.end()
    assert.equal((await sender.attempt({ url: receiver.url, headers, body })).error, null)
    assert.equal(receiver.connections, 2)
  })
})

test('the result has the start of the response, and what Retry-After asks for', async () => {
  const receiver = await Receiver.open((response) => {
    response.writeHead(503, { 'Retry-After': '120' })
    response.write('busy\u0000')
    setTimeout(() => response.end('é'.repeat(1_000)), 20)
  })
  after(() => receiver.close())
  const result = await senderOf().attempt({ url: receiver.url, headers, body })
  assert.equal(result.response, `busy ${'é'.repeat(125)}`)
  assert.equal(result.retryAfterMs, 120_000)
})

describe('a receiver that', () => {
  test('hangs fails after the timeout of an attempt', async () => {
    const receiver = await receiverOf(() => undefined)
    const sender = senderOf({ timeoutMs: 300 })
    const started = performance.now()
    const outcome = await sender.attempt({ url: receiver.url, headers, body })
    assertOutcome(outcome, { httpStatus: null, error: 'No answer within 0.3 s.' })
    assert.ok(performance.now() - started < 3_000)
  })

  test('never finishes its handshake or its name resolution fails after the timeout', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    closing.push(() => silent.close())
    const sockets = new Set<{ destroy(): void }>()
    silent.on('connection', (socket) => sockets.add(socket))
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    const url = `https://receiver.test:${port}/`
    const handshake = await senderOf({ timeoutMs: 300 }).attempt({ url, headers, body })
    assert.match(handshake.error ?? '', /No answer within/)
    for (const socket of sockets) socket.destroy()
    const resolve = () => new Promise<never>(() => undefined)
    const name = await senderOf({ timeoutMs: 300, resolve }).attempt({ url, headers, body })
    assert.match(name.error ?? '', /No answer within/)
  })

  test('sends headers byte by byte fails; a status with an endless body is enough', async () => {
    const receiver = await receiverOf((_response, _received, socket) => {
      const trickle = setInterval(() => socket.write('X'), 20)
      socket.on('close', () => clearInterval(trickle))
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
    })
    const sender = senderOf({ timeoutMs: 400 })
    const slow = await sender.attempt({ url: receiver.url, headers, body })
    assert.match(slow.error ?? '', /No answer within/)
    receiver.respond = (response) => {
      const trickle = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(trickle))
    }
    const started = performance.now()
    const answered = await senderOf().attempt({ url: receiver.url, headers, body })
    assertOutcome(answered, { httpStatus: 200, error: null })
    assert.ok(performance.now() - started < 5_000)
  })

  test('resets, closes or does not speak HTTP has failed', async () => {
    const receiver = await receiverOf()
    const endings: Respond[] = [
      (_response, _received, socket) => socket.resetAndDestroy(),
      (_response, _received, socket) => socket.destroy(),
      (_response, _received, socket) => socket.end('SSH-2.0-OpenSSH_9\r\n'),
      (_response, _received, socket) => {
        const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade'
        socket.end(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n\r\n`)
      },
      (_response, _received, socket) => {
        socket.on('error', () => undefined)
        socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`)
      },
    ]
    for (const respond of endings) {
      receiver.respond = respond
      const outcome = await senderOf().attempt({ url: receiver.url, headers, body })
      assert.equal(outcome.httpStatus, null, respond.toString())
      assert.notEqual(outcome.error, null)
    }
  })

  test('does not listen has failed, and the error does not contain its address', async () => {
    const receiver = await Receiver.open()
    const { url } = receiver
    await receiver.close()
    const outcome = await senderOf().attempt({ url, headers, body })
    assertOutcome(outcome, { httpStatus: null, error: 'The connection failed: ECONNREFUSED.' })
  })

  for (const status of [301, 302, 303, 307, 308]) {
    test(`redirects to itself with ${status} is requested once`, async () => {
      const receiver = await receiverOf()
      receiver.respond = (response) => response.writeHead(status, { location: receiver.url }).end()
      const outcome = await senderOf().attempt({ url: receiver.url, headers, body })
      assert.match(outcome.error ?? '', /redirects are not followed/)
      assert.equal(receiver.received.length, 1)
    })
  }

  for (const isAnnounced of [true, false]) {
    const how = isAnnounced ? 'announced' : 'in endless chunks'
    test(`answers with 1 GB, ${how}, is disconnected`, async () => {
      let sent = 0
      const receiver = await receiverOf((response, _received, socket) => {
        if (isAnnounced) response.setHeader('content-length', 1024 ** 3)
        const piece = Buffer.alloc(16 * 1024)
        const queue = () => {
          while (!socket.destroyed && response.write(piece)) sent += piece.length
        }
        response.on('drain', queue)
        response.on('error', () => undefined)
        queue()
      })
      const before = process.memoryUsage().arrayBuffers
      const outcome = await senderOf().attempt({ url: receiver.url, headers, body })
      assertOutcome(outcome, { httpStatus: 200, error: null })
      await new Promise((resolve) => setTimeout(resolve, 100))
      // The socket buffers of both ends come on top of what was read.
      assert.ok(sent < 16 * 1024 * 1024 + answerBytesMax, `${sent} bytes were sent`)
      assert.ok(process.memoryUsage().arrayBuffers - before < 32 * 1024 * 1024)
    })
  }
})

describe('the sender never connects', () => {
  const onlyPublic = {
    urlError: () => null,
    isAllowed: (address: string) => !/^127\.|^::1$|^10\./.test(address),
  }

  test('to a literal address that is not allowed', async () => {
    for (const host of ['127.0.0.1', '::1']) {
      const canary = await receiverOf(respondOk, { host })
      const sender = senderOf({ addressFilter: onlyPublic })
      const outcome = await sender.attempt({ url: canary.url, headers, body })
      assert.match(outcome.error ?? '', /not public/)
      assert.equal(canary.connections, 0)
    }
  })

  test('to a URL that is not allowed, whatever it resolves to', async () => {
    const canary = await receiverOf()
    const addressFilter = { ...anywhere, urlError: () => 'url: must use https' }
    const outcome = await senderOf({ addressFilter }).attempt({ url: canary.url, headers, body })
    assertOutcome(outcome, { httpStatus: null, error: 'url: must use https' })
    assert.equal(canary.connections, 0)
  })

  test('to a name with an address that is not allowed, even among allowed ones', async () => {
    const canary = await receiverOf()
    const mixes = [
      ['127.0.0.1'],
      ['::1'],
      ['93.184.216.34', '127.0.0.1'],
      ['2606:4700::1111', '10.0.0.1'],
      ['93.184.216.34', '::1'],
      [],
    ]
    for (const addresses of mixes) {
      const sender = senderOf({ addressFilter: onlyPublic, resolve: async () => addresses })
      const url = `http://name.test:${canary.port}/`
      const outcome = await sender.attempt({ url, headers, body })
      assert.match(outcome.error ?? '', /not public|no address/, String(addresses))
    }
    assert.equal(canary.connections, 0)
  })

  test('to an address that a second DNS query for the same attempt would return', async () => {
    const canary = await receiverOf()
    let queries = 0
    const resolve = async () => {
      queries += 1
      return queries === 1 ? ['192.0.2.1'] : ['127.0.0.1']
    }
    const sender = senderOf({ addressFilter: onlyPublic, resolve, timeoutMs: 300 })
    const url = `http://rebinding.test:${canary.port}/`
    const first = await sender.attempt({ url, headers, body })
    assert.equal(queries, 1, 'one DNS query per attempt')
    assert.doesNotMatch(first.error ?? '', /not public/)
    const second = await sender.attempt({ url, headers, body })
    assert.match(second.error ?? '', /not public/)
    assert.equal(canary.connections, 0)
  })

  test('to a proxy from the environment', async () => {
    const [receiver, canary] = [await receiverOf(), await receiverOf()]
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']
    const settings = { ...Object.fromEntries(names.map((name) => [name, canary.url])) }
    const before = { ...process.env }
    Object.assign(process.env, settings, { NODE_USE_ENV_PROXY: '1', NO_PROXY: '' })
    try {
      const outcome = await senderOf().attempt({ url: receiver.url, headers, body })
      assert.equal(outcome.error, null)
    } finally {
      process.env = before
    }
    assert.equal(canary.connections, 0)
  })
})

test('closing the sender aborts running attempts', async () => {
  const receiver = await receiverOf(() => undefined)
  const sender = senderOf()
  const attempt = sender.attempt({ url: receiver.url, headers, body })
  await until(() => receiver.received.length === 1)
  sender.close()
  assertOutcome(await attempt, { httpStatus: null, error: 'The service is shutting down.' })
})
