// The list of players over HTTP: who is in it, search, pages, bad input, CSV.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { cellsIn } from '../../support/http/csv.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

const longest = '\u{1f600}'.repeat(128)
const ids = ['Ann', 'an', 'an%2F', 'ann', 'ann, "b"', 'anna', 'bob', longest]

let service: Service
let owner: OperatorClient
let guest: OperatorClient
let market: Json
before(async () => {
  service = await Service.start()
  owner = await OperatorClient.create(service)
  guest = await OperatorClient.create(service)
  market = await owner.openMarket({ shared: true })
  for (const id of ids.toReversed()) await owner.mint(market, id, 5)
  await owner.sell(market, { player: 'ann', shares: 2, price: 0.9 })
  await owner.sell(market, { player: 'ann', shares: 1, price: 0.6 })
  await guest.buy(market, { player: 'gus', shares: 1, price: 0.6 })
  await owner.buy(market, { player: 'only-an-order', shares: 1, price: 0.1 })
})
after(() => service.stop())

/** Of all pages. */
async function listed(operator: OperatorClient, query: object = {}): Promise<Json[]> {
  const players: Json[] = []
  let cursor: Json = {}
  for (;;) {
    const page = await operator.get(`/players?${new URLSearchParams({ ...query, ...cursor })}`)
    players.push(...page.players)
    assert.equal(page.hasMore, page.nextCursor !== null)
    if (!page.hasMore) return players
    cursor = { cursor: page.nextCursor }
  }
}

const idsOf = (players: readonly Json[]) => players.map(({ playerId }) => playerId)

test('an operator sees its own players that have had a position, page by page', async () => {
  for (const limit of [1, 3, 100]) assert.deepEqual(idsOf(await listed(owner, { limit })), ids)
  const { players, ...page } = await owner.get('/players')
  assert.deepEqual(page, { total: 8, totalIsExact: true, hasMore: false, nextCursor: null })
  const ann = players.find(({ playerId }: Json) => playerId === 'ann')
  assert.deepEqual(ann, { playerId: 'ann', positions: 2, openOrders: 1 })
  assert.deepEqual(await listed(guest), [{ playerId: 'gus', positions: 1, openOrders: 0 }])
})

test('a search finds the ids that begin with it, in the same case', async () => {
  const found = async (search: string) => idsOf(await listed(owner, { search, limit: 2 }))
  assert.deepEqual(await found('an'), ['an', 'an%2F', 'ann', 'ann, "b"', 'anna'])
  assert.deepEqual(await found('A'), ['Ann'])
  assert.deepEqual(await found('an%'), ['an%2F'])
  assert.deepEqual(await found('\u{1f600}'), [longest])
  assert.deepEqual(await found('nn'), [])
  assert.deepEqual(await found('gus'), [])
})

test('invalid searches, limits and cursors are refused', async () => {
  const { nextCursor } = await owner.get('/positions?limit=1')
  const refused: readonly [string, RegExp][] = [
    ['search=', /^search: must not be empty/],
    [`search=${'x'.repeat(129)}`, /^search: must have at most 128 characters/],
    ['search=a%00', /^search: must not contain control characters/],
    ['limit=0', /^limit: must be at least 1/],
    ['limit=1001', /^limit: must be at most 1000/],
    ['cursor=x', /^cursor: /],
    [`cursor=${nextCursor}`, /^cursor: belongs to another list/],
    [`cursor=${'x'.repeat(701)}`, /^cursor: must have at most 700 characters/],
  ]
  for (const [query, message] of refused) {
    const answer = await owner.request('GET', `/players?${query}`)
    assertRefused(answer, 'VALIDATION_ERROR')
    assert.match(answer.body.error.message, message, query)
  }
})

test('players have the same values as CSV, with a link to the next page', async () => {
  const answer = await fetch(`${service.url}/api/v1/players?limit=5`, {
    headers: { 'x-api-key': owner.key, accept: 'text/csv' },
  })
  assert.match(answer.headers.get('link') ?? '', /^<\?limit=5&cursor=[^>]+>; rel="next"$/)
  const { players } = await owner.get('/players?limit=5')
  const [names, ...rows] = cellsIn(await answer.text())
  assert.deepEqual(names, ['playerId', 'positions', 'openOrders'])
  assert.deepEqual(
    rows,
    players.map((player: Json) => names!.map((name) => String(player[name!]))),
  )
})
