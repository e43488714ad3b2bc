// The metrics: what they count, their text format, and the limit on the number of series.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codesMax, Metrics, seriesMax } from './metrics.ts'

/** The samples by name and labels; every line must have Prometheus' format. */
async function samplesOf(metrics: Metrics): Promise<ReadonlyMap<string, number>> {
  const text = await metrics.text()
  assert.ok(text.endsWith('\n'))
  const samples = new Map<string, number>()
  for (const line of text.trimEnd().split('\n')) {
    if (line === '' || /^# (?:HELP|TYPE) outcry_\w+ /.test(line)) continue
    const [, name, value] = /^(outcry_\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    assert.ok(name !== undefined && value !== undefined, `no sample: ${line}`)
    assert.ok(!samples.has(name), `twice: ${name}`)
    samples.set(name, Number(value))
  }
  return samples
}

describe('metrics', () => {
  test('count turns, and the orders and trades in them', async () => {
    const metrics = new Metrics()
    metrics.turn({ commands: 3, orders: 2, trades: 5, commitSeconds: 0.003 })
    metrics.turn({ commands: 40, orders: 39, trades: 0, commitSeconds: 0.5 })
    const samples = await samplesOf(metrics)
    assert.equal(samples.get('outcry_turns_total'), 2)
    assert.equal(samples.get('outcry_orders_total'), 41)
    assert.equal(samples.get('outcry_trades_total'), 5)
    assert.equal(samples.get('outcry_turn_commands_sum'), 43)
    assert.equal(samples.get('outcry_turn_commands_count'), 2)
    assert.equal(samples.get('outcry_turn_commands_bucket{le="2"}'), 0)
    assert.equal(samples.get('outcry_turn_commands_bucket{le="5"}'), 1)
    assert.equal(samples.get('outcry_turn_commands_bucket{le="50"}'), 2)
    assert.equal(samples.get('outcry_commit_seconds_sum'), 0.503)
    assert.equal(samples.get('outcry_commit_seconds_bucket{le="0.2"}'), 1)
    assert.equal(samples.get('outcry_commit_seconds_bucket{le="0.5"}'), 2)
    assert.equal(samples.get('outcry_commit_seconds_bucket{le="+Inf"}'), 2)
  })

  test('count waiting commands, rejections by code, and rebuilds', async () => {
    const metrics = new Metrics()
    metrics.queue(7, 0)
    metrics.queue(2, 1)
    metrics.queue(4, 0)
    metrics.rebuilt()
    metrics.rejected('MARKET_NOT_OPEN')
    metrics.rejected('MARKET_NOT_OPEN')
    metrics.rejected('ORDER_NO_LIQUIDITY')
    const samples = await samplesOf(metrics)
    assert.equal(samples.get('outcry_queue_length'), 6)
    assert.equal(samples.get('outcry_rebuilds_total'), 1)
    assert.equal(samples.get('outcry_refused_total{code="MARKET_NOT_OPEN"}'), 2)
    assert.equal(samples.get('outcry_refused_total{code="ORDER_NO_LIQUIDITY"}'), 1)
  })

  test('measure waiting and dropped reads by lane', async () => {
    const metrics = new Metrics()
    metrics.readsWaiting('callers', 3)
    metrics.readWaited('callers', 0.003)
    metrics.readWaited('service', 0.001)
    metrics.readDropped('callers', 'full')
    metrics.readDropped('callers', 'full')
    const samples = await samplesOf(metrics)
    assert.equal(samples.get('outcry_reads_waiting{lane="callers"}'), 3)
    assert.equal(samples.get('outcry_read_wait_seconds_sum{lane="callers"}'), 0.003)
    assert.equal(samples.get('outcry_read_wait_seconds_count{lane="service"}'), 1)
    const dropped = 'outcry_reads_dropped_total{lane="callers",reason="full"}'
    assert.equal(samples.get(dropped), 2)
  })

  test('show how far the tables are behind the commits', async () => {
    const metrics = new Metrics()
    assert.equal((await samplesOf(metrics)).has('outcry_pending_turn_bytes'), false)
    const tables = { pendingBytes: 700 }
    metrics.watchTables(tables)
    assert.equal((await samplesOf(metrics)).get('outcry_pending_turn_bytes'), 700)
    tables.pendingBytes = 0
    assert.equal((await samplesOf(metrics)).get('outcry_pending_turn_bytes'), 0)
  })

  test('measure the requests of each route, method and status', async () => {
    const metrics = new Metrics()
    const order = { method: 'POST', route: '/api/v1/orders', status: 201 }
    metrics.request({ ...order, seconds: 0.001 })
    metrics.request({ ...order, seconds: 11 })
    metrics.request({ ...order, status: 400, seconds: 0.0001 })
    metrics.request({ method: 'GET', route: 'a"\\b\nc', status: 200, seconds: 0 })
    const samples = await samplesOf(metrics)
    const labels = 'method="POST",route="/api/v1/orders",status="201"'
    assert.equal(samples.get(`outcry_request_seconds_bucket{${labels},le="0.001"}`), 1)
    assert.equal(samples.get(`outcry_request_seconds_bucket{${labels},le="10"}`), 1)
    assert.equal(samples.get(`outcry_request_seconds_bucket{${labels},le="+Inf"}`), 2)
    assert.equal(samples.get(`outcry_request_seconds_sum{${labels}}`), 11.001)
    const rejected = labels.replace('201', '400')
    assert.equal(samples.get(`outcry_request_seconds_count{${rejected}}`), 1)
    const odd = 'method="GET",route="a\\"\\\\b\\nc",status="200"'
    assert.equal(samples.get(`outcry_request_seconds_count{${odd}}`), 1)
  })

  test('include the memory of the process and the lag of its event loop', async () => {
    const samples = await samplesOf(new Metrics())
    assert.ok(samples.get('outcry_process_resident_memory_bytes')! > 1e6)
    assert.ok(samples.get('outcry_nodejs_heap_size_used_bytes')! > 1e5)
    assert.ok(samples.has('outcry_nodejs_eventloop_lag_p99_seconds'))
  })

  test('of two services in one process are separate', async () => {
    const [one, other] = [new Metrics(), new Metrics()]
    one.rebuilt()
    assert.equal((await samplesOf(other)).get('outcry_rebuilds_total'), 0)
  })

  test('count routes and codes beyond the limit as "other"', async () => {
    const metrics = new Metrics()
    for (let count = 0; count < seriesMax + 10; count += 1) {
      metrics.request({ method: 'GET', route: `/${count}`, status: 404, seconds: 1 })
      metrics.rejected(`CODE_${count}`)
    }
    const samples = await samplesOf(metrics)
    const other = 'method="other",route="other",status="other"'
    assert.equal(samples.get(`outcry_request_seconds_count{${other}}`), 10)
    assert.equal(samples.get('outcry_refused_total{code="other"}'), seriesMax + 10 - codesMax)
  })

  test('have the content type of the Prometheus text format', () => {
    assert.match(new Metrics().contentType, /^text\/plain; version=0\.0\.4/)
  })
})
