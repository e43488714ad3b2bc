// Lists as CSV, over HTTP: the same rows as in JSON, page by page.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cellsIn } from '../../support/http/csv.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { adminKey, type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
let operator: OperatorClient
let market: Json
before(async () => {
  service = await Service.start()
  operator = await OperatorClient.create(service)
  market = await operator.marketWithHolders(
    { '=cmd()': 30, 'ann, "the" first': 5 },
    { title: '@SUM(1), or "no"?', description: 'One\ntwo\r\nthree', metadata: { a: [1, ','] } },
  )
  await operator.sell(market, { player: '=cmd()', shares: 20, price: 0.6 })
  for (const player of ['-bob', '+eve', 'zoë']) {
    await operator.buy(market, { player, shares: 5, price: 0.6 })
    await operator.sell(market, { player, shares: 2, price: 0.3 })
    await operator.buy(market, { player: 'ann, "the" first', shares: 2, price: 0.3 })
  }
  await operator.finish(market)
})
after(() => service.stop())

const csv = { accept: 'text/csv' }

function fetched(path: string, headers: Record<string, string> = csv) {
  return fetch(`${service.url}/api/v1${path}`, {
    headers: { 'x-api-key': operator.key, ...headers },
  })
}

/** As a cell shows it. */
function cellOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Numbers that may be negative, which no spreadsheet takes for a formula. */
const signed = ['realizedPnl', 'unrealizedPnl', 'totalPnl']

const lists = ['orders', 'trades', 'positions', 'settlements', 'events', 'markets'] as const

for (const list of lists) {
  test(`${list} have the same rows and values as CSV and as JSON`, async () => {
    const data = await operator.get(`/${list}?limit=100`)
    const response = await fetched(`/${list}?limit=100`)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
    assert.equal(response.headers.get('link'), null)
    const [names, ...lines] = cellsIn(await response.text())
    const items: Json[] = data[list]
    assert.ok(items.length > 0)
    // A field that only some rows have, such as the category of a market, is a column, too.
    const known = new Set(items.flatMap((item) => Object.keys(item)))
    assert.deepEqual(
      [...known].filter((name) => !names!.includes(name)),
      [],
    )
    assert.equal(lines.length, items.length)
    for (const [at, item] of items.entries()) {
      const shown = Object.fromEntries(names!.map((name, column) => [name, lines[at]![column]]))
      for (const [name, value] of Object.entries(shown)) {
        const expected = cellOf(item[name!])
        const isDefused = /^[=+@-]/.test(expected ?? '') && !signed.includes(name!)
        assert.equal(value, isDefused ? `'${expected}` : expected, `${list} ${at} ${name}`)
      }
    }
  })

  test(`pages of ${list} as CSV follow the link to the end`, async () => {
    const whole = await (await fetched(`/${list}?limit=100&marketId=${market.id}`)).text()
    const [header, ...lines] = cellsIn(whole)
    const found: (string | null)[][] = []
    let path = `/${list}?limit=2&marketId=${market.id}`
    for (let next: string | null = path; next !== null; ) {
      const response = await fetched(next)
      const [names, ...rows] = cellsIn(await response.text())
      assert.deepEqual(names, header)
      assert.ok(rows.length <= 2)
      found.push(...rows)
      const [, query] = /^<(\?.+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? []
      next = query === undefined ? null : `/${list}${query}`
      if (next !== null) assert.ok(next.includes(`marketId=${market.id}`), next)
      assert.notEqual(next, path)
      path = next ?? path
    }
    assert.deepEqual(found, lines)
  })
}

test('positions and settlements without a limit are one CSV of all rows', async () => {
  for (const list of ['positions', 'settlements']) {
    const all = cellsIn(await (await fetched(`/${list}`)).text())
    assert.deepEqual(all, cellsIn(await (await fetched(`/${list}?limit=1000`)).text()))
    assert.ok(all.length > 5)
  }
})

test('negative numbers stay numbers, and texts of players do not become formulas', async () => {
  const text = await (await fetched('/positions')).text()
  assert.match(text, /,'=cmd\(\),/)
  assert.match(text, /,"ann, ""the"" first",/)
  assert.match(text, /,-0\.6,/)
})

test('order groups are CSV, page by page', async () => {
  const made: Json[] = []
  for (const playerId of ['maker', '=maker']) {
    made.unshift(await operator.post('/order-groups', { playerId, limitShares: 10 }))
  }
  const first = await fetched('/order-groups?limit=1')
  assert.match(first.headers.get('link')!, /^<\?limit=1&cursor=[^>]+>; rel="next"$/)
  const [names, ...lines] = cellsIn(await (await fetched('/order-groups')).text())
  assert.deepEqual(names, Object.keys(made[0]!))
  assert.deepEqual(
    lines.map(([id, playerId]) => [id, playerId]),
    made.map(({ id, playerId }) => [id, playerId.replace('=', "'=")]),
  )
})

test('the public tape and the markets of the administrator are CSV, too', async () => {
  const tape = await fetched(`/markets/${market.id}/trades/${market.outcomes[0].id}`)
  assert.match(await tape.text(), /^price,shares,takerSide,timestamp\r\n0\.\d/)
  const admin = { ...csv, 'x-admin-key': adminKey }
  const markets = await fetched(`/admin/operators/${operator.id}/markets`, admin)
  assert.equal(cellsIn(await markets.text()).length, 2)
})

test('JSON is the answer unless CSV is preferred, and where there is no list', async () => {
  for (const accept of ['*/*', 'text/*', 'application/json, text/csv', 'text/csv;q=0.5, */*']) {
    const response = await fetched('/orders', { accept })
    assert.match(response.headers.get('content-type')!, /^application\/json/, accept)
  }
  const single = await fetched(`/markets/${market.id}`)
  assert.equal(((await single.json()) as Json).data.id, market.id)
})

test('an error is JSON for a client that accepts only CSV', async () => {
  const response = await fetched('/orders?limit=0')
  assert.equal(response.status, 400)
  assert.equal(((await response.json()) as Json).error.code, 'VALIDATION_ERROR')
  const problem = await fetched('/orders?cursor=x', {
    accept: 'text/csv, application/problem+json',
  })
  assert.equal(problem.headers.get('content-type'), 'application/problem+json')
})
