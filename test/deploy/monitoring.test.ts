// The dashboard and the alerts name metrics that the service has, with labels that they have.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { OperatorClient, orderBody } from '../support/http/operator-client.ts'
import { Service } from '../support/process/outcry-process.ts'
import { promtoolOrNot } from '../support/process/promtool.ts'

const folder = new URL('../../deploy/', import.meta.url).pathname
const rulesFile = join(folder, 'prometheus/outcry.rules.yml')
const rules = readFileSync(rulesFile, 'utf8')
const dashboard = readFileSync(join(folder, 'grafana/outcry.json'), 'utf8')

type Panel = {
  readonly id: number
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number }
  readonly targets: readonly { readonly expr: string }[]
}
const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(dashboard)
const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

const promtool = await promtoolOrNot('the alerts as Prometheus reads them')

suite('the metrics in', () => {
  /** The names of all series, and of the labels of those that have any. */
  const names = new Set<string>()
  const labels = new Set<string>()
  const services: Service[] = []

  before(async () => {
    // Those of nodes and of SQLite are in different services.
    for (const env of [{}, { FRONT_ENDS: '1' }]) {
      const service = await Service.start({ env })
      services.push(service)
      const operator = await OperatorClient.create(service)
      const body = orderBody(await operator.openMarket(), 'BUY', { price: 0.1 })
      await service.request('POST', '/api/v1/orders', { key: operator.key, body })
      collect(await (await fetch(`${service.url}/metrics`)).text())
    }
  })
  after(() => Promise.all(services.map((service) => service.stop())))

  function collect(text: string): void {
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      const parts = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      for (const part of parts) names.add(name + part)
    }
    for (const [, list = ''] of text.matchAll(/^outcry_\w+\{(.+)\} /gm)) {
      for (const [, label = ''] of list.matchAll(/(\w+)="/g)) labels.add(label)
    }
  }

  for (const [what, text] of Object.entries({ alerts: rules, dashboard })) {
    test(`the ${what} exist`, () => {
      const used = [...new Set([...text.matchAll(/\boutcry_\w+/g)].map(([name]) => name))]
      assert.ok(used.length > 5)
      assert.deepEqual(
        used.filter((name) => !names.has(name)),
        [],
      )
    })
  }

  test('the dashboard and the alerts are counted by labels that exist', () => {
    // Added by Prometheus, or by counters that have counted nothing yet.
    const known = new Set([...labels, 'instance', 'edge', 'code', 'reason', 'lane', 'status'])
    const used = [...`${queries.join('\n')}\n${rules}`.matchAll(/\bby \(([^)]+)\)/g)]
    const wrong = used.flatMap(([, list = '']) => list.split(/,\s*/)).filter((it) => !known.has(it))
    assert.deepEqual(wrong, [])
  })
})

test('every panel of the dashboard has a query and a place of its own', () => {
  assert.ok(panels.length > 8)
  for (const { title, targets } of panels) assert.ok(targets.length > 0, title)
  const places = new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`))
  assert.equal(places.size, panels.length)
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
})

suite('promtool', { skip: promtool === null }, () => {
  test('accepts the alerts', () => {
    const { status, printed } = promtool!(['check', 'rules', rulesFile])
    assert.equal(status, 0, printed)
    assert.match(printed, /SUCCESS: \d+ rules found/)
  })

  test('accepts the queries of the dashboard', (context) => {
    const place = mkdtempSync(join(tmpdir(), 'outcry-queries-'))
    context.after(() => rmSync(place, { recursive: true }))
    const file = join(place, 'rules.yml')
    for (const expr of queries) {
      const query = expr.replaceAll('$__rate_interval', '5m')
      const rule = `groups: [{ name: x, rules: [{ record: x, expr: ${JSON.stringify(query)} }] }]`
      writeFileSync(file, rule)
      const { status, printed } = promtool!(['check', 'rules', file])
      assert.equal(status, 0, `${query}: ${printed}`)
    }
  })
})
