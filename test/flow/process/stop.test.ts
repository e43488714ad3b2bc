// Stopping the service: by signal to node, to npm or to both, and without warning.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { NpmStart } from '../../support/process/npm-start.ts'
import { type Answer, newFolder, Service } from '../../support/process/outcry-process.ts'

const stopMax = 10_000

/** Places orders without pause until the service no longer answers; adds the answered ones. */
async function placeUntilGone(
  operator: OperatorClient,
  codes: readonly string[],
  ids: string[],
): Promise<void> {
  const market = await operator.openMarket()
  for (;;) {
    const place = () =>
      operator.request('POST', '/orders', orderBody(market, 'BUY', { price: 0.1 }))
    const answers = await Promise.all(
      [place(), place(), place()].map((each) => each.catch(() => null)),
    )
    for (const answer of answers) if (answer?.status === 201) ids.push(answer.body.data.order.id)
    if (answers.some((answer) => answer === null || isStopping(answer, codes))) return
  }
}

function isStopping({ status, body }: Answer, codes: readonly string[]): boolean {
  if (status !== 503) return false
  assert.ok(codes.includes(body.error.code), body.error.code)
  return true
}

for (const [how, end, codes] of [
  ['SIGTERM', (service: Service) => service.stop(), ['UNAVAILABLE']],
  // A front end outlives its killed primary for a moment.
  ['SIGKILL', (service: Service) => service.kill(), ['UNAVAILABLE', 'COMMIT_UNKNOWN']],
] as const) {
  test(`every order that was answered before a ${how} is stored after the next start`, async () => {
    const dataDir = await newFolder()
    const first = await Service.start({ dataDir })
    const operator = await OperatorClient.create(first)
    const ids: string[] = []
    const placing = placeUntilGone(operator, codes, ids)
    while (ids.length === 0) await setTimeout(10)
    await setTimeout(400)
    const startedAt = Date.now()
    const code = await end(first)
    if (how === 'SIGTERM') assert.equal(code, 0)
    assert.ok(Date.now() - startedAt < stopMax)
    await placing
    const second = await Service.start({ dataDir })
    try {
      const again = new OperatorClient(second, operator)
      for (const id of ids) assert.equal((await again.get(`/orders/${id}`)).status, 'PENDING')
      const { total, orders } = await again.get('/orders?limit=1')
      assert.ok(total >= ids.length)
      await again.cancel(orders[0])
      assert.equal((await again.market({ id: orders[0].marketId })).status, 'OPEN')
    } finally {
      await second.stop()
    }
  })
}

for (const [signal, to] of [
  ['SIGTERM', 'npm'],
  ['SIGTERM', 'group'],
  ['SIGINT', 'group'],
] as const) {
  test(`a ${signal} to ${to === 'npm' ? 'npm' : 'npm and node'} ends both with 0`, async () => {
    const started = await NpmStart.start(await newFolder(), { DEMO_OPERATOR: 'false' })
    const request = halfSent(started.url)
    await request.begun
    const ending = started.end(signal, to)
    await setTimeout(200)
    // What has come meanwhile is read first.
    await setImmediate()
    request.finish()
    const { exitCode, signalCode, elapsedMs } = await ending
    assert.deepEqual([exitCode, signalCode], [0, null])
    assert.ok(elapsedMs < stopMax, `${elapsedMs} ms`)
    await assert.rejects(fetch(`${started.url}/health`))
    const answer = (await request.answer).replace('HTTP/1.1 100 Continue\r\n\r\n', '')
    assert.match(answer, /^HTTP\/1\.1 (401|503) /, 'what was under way is answered')
  })
}

/** A request whose body is not all there yet, so that stopping has something to wait for. */
function halfSent(url: string) {
  const body = '{"title":"x"}'
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const answer = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(received)).on('error', () => undefined)
  })
  const lines = ['POST /api/v1/markets HTTP/1.1', 'Host: x', 'Content-Type: application/json']
  const head = [...lines, `Content-Length: ${body.length}`, 'Expect: 100-continue', '', '']
  // It sends 100 Continue when it has read the head.
  const begun = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  socket.write(head.join('\r\n') + body.slice(0, 5))
  // If the head is refused, the connection may be closed before the rest of the request is sent.
  const isAnswered = () => /^HTTP\/1\.1 [^1]/m.test(received)
  return { begun, answer, finish: () => socket.end(isAnswered() ? '' : body.slice(5)) }
}
