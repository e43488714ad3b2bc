// The fast path over real connections: which requests use it, which leave it, and that its
// responses equal those of the framework.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { apiKeys, someId, testIds, testServer } from '../../../../test/support/http/rest-server.ts'
import { orderRow, tradeRow } from '../../../../test/support/store/record-rows.ts'
import { orderOfRow, tradeOfRow } from '../../../engine/idempotency/stored-answers.ts'

const order = {
  marketId: someId,
  outcomeId: someId,
  playerId: 'ann',
  side: 'BUY',
  type: 'LIMIT',
  shares: 25.5,
  price: 0.55,
}
const trades = [tradeOfRow(testIds, tradeRow)]

let app: FastifyInstance
let port = 0
/** How many requests the framework has seen. */
let framed = 0
let answerAfterMs = 0
const reported: string[] = []

before(async () => {
  const place = async (placing: { readonly playerId: string }) => {
    await pause(answerAfterMs)
    if (placing.playerId === 'broken') throw new Error('a bug')
    if (placing.playerId === 'poor') return rejected
    if (placing.playerId === 'endless') return endless
    if (placing.playerId === 'hollow') return hollow
    if (placing.playerId === 'late') return rejectedAgain
    const placed = { ...orderOfRow(testIds, orderRow), playerId: placing.playerId }
    const answer = { order: placed, trades, hasMoreTrades: false, isReplay: false } as const
    return { isAccepted: true, answer } as const
  }
  const reportFailure = (edge: string, event: string) => {
    reported.push(`${edge}: ${event}`)
  }
  app = testServer({ engine: { place }, reportFailure })
  app.addHook('onRequest', (_request, _reply, done) => {
    framed += 1
    done()
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  port = Number(new URL(url).port)
})
after(() => app.close())
const rejected = {
  isAccepted: false,
  reject: { code: 'POSITION_INSUFFICIENT_SHARES', wanted: 2, available: 1 },
} as const
const rejectedAgain = {
  isAccepted: false,
  isReplay: true,
  reject: { code: 'ORDER_NO_LIQUIDITY', orderId: someId },
} as const

/** JSON has no such number: encoding fails, as it does for an answer that is too long. */
const unencodable = { ...orderOfRow(testIds, orderRow), transactionId: 1n as never as string }
const endless = {
  isAccepted: true,
  answer: { order: unencodable, trades, hasMoreTrades: false, isReplay: true },
} as const
/** Cannot be presented. */
const hollow = {
  isAccepted: true,
  answer: { order: null as never, trades, hasMoreTrades: false, isReplay: false },
} as const

type Sent = { readonly body?: unknown; readonly more?: readonly string[]; readonly key?: string }

function post({ body = order, more = [], key = apiKeys.all }: Sent = {}): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const head = ['POST /api/v1/orders HTTP/1.1', 'Host: x', `X-Api-Key: ${key}`]
  head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`)
  return `${[...head, ...more].join('\r\n')}\r\n\r\n${text}`
}

const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'

type Answer = {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: {
    readonly success: boolean
    readonly data: { readonly order?: { readonly playerId: string } }
    readonly error?: { readonly code: string }
  }
}

/** A connection that answers are read from, one by one. */
class Line {
  readonly #socket: Socket
  #bytes = Buffer.alloc(0)

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes])
      socket.emit('more')
    })
    socket.on('close', () => socket.emit('more'))
  }

  static async open(to = port): Promise<Line> {
    const socket = connect(to, '127.0.0.1')
    await once(socket, 'connect')
    return new Line(socket)
  }

  send(text: string): void {
    this.#socket.write(text)
  }

  end(): void {
    this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  get isClosed(): boolean {
    return this.#socket.destroyed
  }

  async request(text: string): Promise<Answer> {
    this.send(text)
    return this.next()
  }

  async next(): Promise<Answer> {
    for (;;) {
      const answer = this.#whole()
      if (answer !== null) return answer
      assert.ok(!this.isClosed, 'the connection is closed without an answer')
      await once(this.#socket, 'more')
    }
  }

  #whole(): Answer | null {
    const end = this.#bytes.indexOf('\r\n\r\n')
    if (end < 0) return null
    const [first, ...lines] = this.#bytes.toString('latin1', 0, end).split('\r\n')
    const headers = new Map(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]))
    const names = new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]))
    const length = end + 4 + Number(names.get('content-length'))
    if (this.#bytes.length < length) return null
    const body = JSON.parse(this.#bytes.toString('utf8', end + 4, length))
    this.#bytes = this.#bytes.subarray(length)
    return { status: Number(first!.split(' ')[1]), headers: names, body }
  }
}

/** What is sent over a new connection, and whether the framework saw it. */
async function requestOnce(text: string): Promise<Answer & { readonly isFramed: boolean }> {
  const before = framed
  const line = await Line.open()
  try {
    return { ...(await line.request(text)), isFramed: framed > before }
  } finally {
    line.destroy()
  }
}

suite('the fast path', () => {
  test('answers an order as the framework does', async () => {
    const short = await requestOnce(post())
    const long = await requestOnce(post({ more: ['TE: trailers'] }))
    assert.deepEqual([short.isFramed, long.isFramed], [false, true])
    assert.equal(short.status, 201)
    assert.equal(long.status, 201)
    assert.deepEqual(short.body, long.body)
    assert.deepEqual([...short.headers.keys()].sort(), [...long.headers.keys()].sort())
    for (const [name, value] of short.headers) {
      if (name !== 'x-request-id' && name !== 'date') assert.equal(value, long.headers.get(name))
    }
  })

  test('an order is charged what it has cost, and refused over the limit unparsed', async () => {
    const order = orderOfRow(testIds, orderRow)
    const answer = { order, trades, hasMoreTrades: false, isReplay: false }
    const costly = testServer({
      limits: { orders: 10, requests: 0, public: 0 },
      engine: { place: () => ({ isAccepted: true, answer, cost: 7 }) },
    })
    costly.addHook('onRequest', () => assert.fail('the framework saw it'))
    const url = await costly.listen({ port: 0, host: '127.0.0.1' })
    const line = await Line.open(Number(new URL(url).port))
    try {
      assert.equal((await line.request(post())).headers.get('ratelimit-remaining'), '3')
      assert.equal((await line.request(post())).headers.get('ratelimit-remaining'), '0')
      assert.equal((await line.request(post({ body: { side: 'NONE' } }))).status, 429)
    } finally {
      line.destroy()
      await costly.close()
    }
  })

  test("sends back the client's own request id", async () => {
    const { headers } = await requestOnce(post({ more: ['X-Request-Id: mine-42'] }))
    assert.equal(headers.get('x-request-id'), 'mine-42')
  })

  test('keeps non-ASCII texts intact', async () => {
    const { body, isFramed } = await requestOnce(post({ body: { ...order, playerId: 'Zoë ☃' } }))
    assert.equal(isFramed, false)
    assert.equal(body.data.order?.playerId, 'Zoë ☃')
  })

  test('answers rejections of the rules, and a bug with 500', async () => {
    const poor = await requestOnce(post({ body: { ...order, playerId: 'poor' } }))
    assert.deepEqual([poor.isFramed, poor.status], [false, 409])
    assert.equal(poor.body.error?.code, 'POSITION_INSUFFICIENT_SHARES')
    const broken = await requestOnce(post({ body: { ...order, playerId: 'broken' } }))
    assert.deepEqual([broken.isFramed, broken.status], [false, 500])
    assert.equal(broken.body.error?.code, 'INTERNAL_ERROR')
  })

  test('answers COMMIT_UNKNOWN if the answer to a stored order fails, and serves on', async () => {
    for (const playerId of ['endless', 'hollow']) {
      for (const more of [[], ['TE: trailers']]) {
        reported.length = 0
        const line = await Line.open()
        const answer = await line.request(post({ body: { ...order, playerId }, more }))
        assert.equal(answer.status, 503, playerId)
        assert.equal(answer.body.error?.code, 'COMMIT_UNKNOWN')
        assert.equal(answer.headers.get('retry-after'), '1')
        assert.equal(answer.headers.has('idempotent-replayed'), false)
        assert.deepEqual(reported, ['rest: request failed'])
        assert.equal((await line.request(post())).status, 201)
        line.destroy()
      }
    }
  })

  test('reports a failure while an answer is sent, and closes only that connection', async () => {
    const failures: string[] = []
    let fails = true
    const request = () => {
      if (fails) throw new Error('a bug')
    }
    const failing = testServer({
      metrics: { request, text: async () => '', contentType: 'text/plain' },
      reportFailure: (edge, event) => failures.push(`${edge}: ${event}`),
    })
    const url = await failing.listen({ port: 0, host: '127.0.0.1' })
    try {
      const line = await Line.open(Number(new URL(url).port))
      await assert.rejects(line.request(post()), /closed without an answer/)
      assert.deepEqual(failures, ['rest: connection failed'])
      fails = false
      const next = await Line.open(Number(new URL(url).port))
      assert.equal((await next.request(post())).status, 404)
      next.destroy()
    } finally {
      await failing.close()
    }
  })

  test('marks a repeated refusal as replayed, as the framework does', async () => {
    const body = { ...order, playerId: 'late' }
    for (const more of [[], ['TE: trailers']]) {
      const again = await requestOnce(post({ body, more }))
      assert.deepEqual([again.isFramed, again.status], [more.length > 0, 409])
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
    }
    const poor = await requestOnce(post({ body: { ...order, playerId: 'poor' } }))
    assert.equal(poor.headers.has('idempotent-replayed'), false)
  })

  for (const [title, sent, status] of [
    ['a key that is not known', { key: 'oc_live_nobody' }, 401],
    ['a key without the scope', { key: apiKeys.read }, 403],
    ['a body that is not JSON', { body: '{' }, 400],
    ['a body that does not fit', { body: { ...order, side: 'UP' } }, 400],
  ] as const) {
    test(`leaves ${title} to the framework`, async () => {
      const answer = await requestOnce(post(sent))
      assert.deepEqual([answer.isFramed, answer.status], [true, status])
      assert.equal(answer.body.success, false)
    })
  }

  test('leaves an order with a content encoding to the framework, which refuses gzip', async () => {
    const zipped = await requestOnce(post({ more: ['Content-Encoding: gzip'] }))
    assert.deepEqual([zipped.isFramed, zipped.status], [true, 415])
    const plain = await requestOnce(post({ more: ['Content-Encoding: identity'] }))
    assert.deepEqual([plain.isFramed, plain.status], [true, 201])
  })

  test('hands a connection with other requests over, and the connection stays usable', async () => {
    const line = await Line.open()
    const statuses: number[] = []
    for (const text of [post(), post(), health, post(), health]) {
      statuses.push((await line.request(text)).status)
    }
    assert.deepEqual(statuses, [201, 201, 200, 201, 200])
    line.destroy()
  })

  test('answers pipelined requests in their order', async () => {
    const line = await Line.open()
    const named = (playerId: string) => post({ body: { ...order, playerId } })
    line.send(named('one') + named('two') + health + named('three'))
    const names: unknown[] = []
    for (let at = 0; at < 4; at += 1) names.push((await line.next()).body.data.order?.playerId)
    assert.deepEqual(names, ['one', 'two', undefined, 'three'])
    line.destroy()
  })

  test('accepts a request in pieces, wherever it is cut', async () => {
    const text = post()
    for (const cut of [1, 30, text.indexOf('\r\n\r\n') + 4, text.length - 10, text.length - 1]) {
      const line = await Line.open()
      line.send(text.slice(0, cut))
      await pause(20)
      assert.equal((await line.request(text.slice(cut))).status, 201, `cut at ${cut}`)
      assert.equal((await line.request(text)).status, 201)
      line.destroy()
    }
  })

  test('hands a connection that is silent for a second to the HTTP server', async () => {
    const line = await Line.open()
    const before = framed
    await pause(1_300)
    assert.equal((await line.request(post())).status, 201)
    assert.equal(framed, before + 1)
    line.destroy()
  })

  test('hands a body that arrives byte by byte to the HTTP server', async () => {
    const line = await Line.open()
    const before = framed
    const text = post()
    line.send(text.slice(0, -15))
    for (const character of text.slice(-15)) {
      await pause(100)
      line.send(character)
    }
    assert.equal((await line.next()).status, 201)
    assert.equal(framed, before + 1)
    line.destroy()
  })

  test('hands a body that does not arrive to the HTTP server', async () => {
    const line = await Line.open()
    const before = framed
    const text = post()
    line.send(text.slice(0, -5))
    await pause(1_300)
    assert.equal((await line.request(text.slice(-5))).status, 201)
    assert.equal(framed, before + 1)
    line.destroy()
  })

  test('answers a client that ends its side after the request', async () => {
    const line = await Line.open()
    line.send(post())
    line.end()
    assert.equal((await line.next()).status, 201)
    await pause(50)
    assert.ok(line.isClosed)
  })

  test('keeps serving others when a client disconnects before its answer', async () => {
    answerAfterMs = 50
    try {
      const line = await Line.open()
      line.send(post())
      await pause(10)
      line.destroy()
      assert.equal((await requestOnce(post())).status, 201)
    } finally {
      answerAfterMs = 0
    }
  })
})
