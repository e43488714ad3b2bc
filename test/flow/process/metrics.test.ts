// The metrics: on the port for REST or on one of their own, with or without a key, and as
// Prometheus reads them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { failedStart, Service } from '../../support/process/outcry-process.ts'
import { promtoolOrNot } from '../../support/process/promtool.ts'

const METRICS_KEY = 'the-key-of-the-metrics'

async function started(env: Readonly<Record<string, string>>): Promise<Service> {
  const service = await Service.start({ env })
  after(() => service.stop())
  return service
}

/** What the service prints as the address of its metrics. */
function metricsUrlOf(service: Service): string {
  const url = /metrics\s+(http:\S+)/.exec(service.printed())?.[1]
  assert.ok(url !== undefined, service.printed())
  return url
}

async function statusOf(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { headers })
  const text = await response.text()
  if (response.status === 200) assert.match(text, /^outcry_turns_total \d+$/m)
  else assert.equal(JSON.parse(text).success, false)
  return response.status
}

async function assertKeyNeeded(url: string): Promise<void> {
  const refused = [{}, { authorization: METRICS_KEY }, { authorization: `Basic ${METRICS_KEY}` }]
  const wrong = [
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${METRICS_KEY}x` },
    { authorization: 'Bearer ' },
    { 'x-metrics-key': 'wrong' },
    { 'x-metrics-key': '' },
    { 'x-api-key': METRICS_KEY },
    { 'x-admin-key': METRICS_KEY },
  ]
  for (const headers of [...refused, ...wrong]) {
    assert.equal(await statusOf(url, headers as Record<string, string>), 401)
  }
  const { headers } = await fetch(url)
  assert.equal(headers.get('www-authenticate'), 'Bearer')
  assert.equal(await statusOf(url, { authorization: `Bearer ${METRICS_KEY}` }), 200)
  assert.equal(await statusOf(url, { authorization: `bearer  ${METRICS_KEY}` }), 200)
  assert.equal(await statusOf(url, { 'x-metrics-key': METRICS_KEY }), 200)
}

test('without settings, the metrics need no key and are on the port for REST', async () => {
  const service = await started({})
  assert.equal(await statusOf(`${service.url}/metrics`), 200)
  assert.doesNotMatch(service.printed(), /metrics/)
})

test('METRICS_KEY is needed for the metrics, and never printed', async () => {
  const service = await started({ METRICS_KEY })
  await assertKeyNeeded(`${service.url}/metrics`)
  assert.equal((await service.request('GET', '/health')).status, 200)
  assert.equal(service.printed().includes(METRICS_KEY), false)
})

test('METRICS_PORT serves nothing but the metrics, which PORT then does not', async () => {
  const service = await started({ METRICS_PORT: '0' })
  const url = metricsUrlOf(service)
  assert.equal(await statusOf(url), 200)
  assert.equal(await statusOf(`${url}?x=1`), 200)
  const { origin } = new URL(url)
  for (const path of ['/', '/health', '/docs', '/api/v1/markets', '/metrics/', '/metricsx']) {
    assert.equal(await statusOf(origin + path), 404, path)
  }
  const head = await fetch(url, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  assert.ok(Number(head.headers.get('content-length')) > 1_000)
  const posted = await fetch(url, { method: 'POST', body: 'x'.repeat(100_000) })
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
  assert.equal(await statusOf(`${service.url}/metrics`), 404)
  const document = await service.request('GET', '/openapi.json')
  assert.equal(document.body.paths['/metrics'], undefined)
})

test('METRICS_PORT and METRICS_KEY work together', async () => {
  const service = await started({ METRICS_PORT: '0', METRICS_KEY })
  await assertKeyNeeded(metricsUrlOf(service))
})

test('a METRICS_PORT in use stops the start, and is named with the other ports', async () => {
  const service = await started({ METRICS_PORT: '0' })
  const { port } = new URL(metricsUrlOf(service))
  const { printed } = await failedStart({ env: { METRICS_PORT: port } })
  assert.match(printed, new RegExp(`^Port ${port} is in use .* METRICS_PORT .*\\n$`))
  const main = new URL(service.url).port
  const two = await failedStart({ env: { METRICS_PORT: port, PORT: main } })
  assert.match(two.printed, new RegExp(`^Ports ${main} and ${port} are in use .*\\n$`))
})

const promtool = await promtoolOrNot('the metrics as Prometheus reads them')
const hasPromtool = { skip: promtool === null }

test('promtool has nothing to say about the metrics', hasPromtool, async () => {
  assert.ok(promtool !== null)
  const bad = promtool(['check', 'metrics'], '# TYPE x_total gauge\nx_total 1\n')
  assert.notEqual(bad.status, 0, 'promtool finds faults')
  for (const env of [{}, { FRONT_ENDS: '1' }]) {
    const service = await started(env)
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    await service.request('POST', '/api/v1/orders', {
      key: operator.key,
      body: orderBody(market, 'BUY', { price: 0.1 }),
    })
    const text = await (await fetch(`${service.url}/metrics`)).text()
    assert.match(text, /outcry_request_seconds_count\{method="POST",route="\/api\/v1\/orders"/)
    const { status, printed } = promtool(['check', 'metrics'], text)
    assert.deepEqual({ status, printed }, { status: 0, printed: '' })
  }
})
