// Public pages of markets: who may read them, what they show, and which of them may be framed.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { escapeHtml } from '../../../src/api/rest/public-page/render.ts'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
let operator: OperatorClient
before(async () => {
  service = await Service.start({ env: { RATE_LIMIT_PUBLIC: '9000' } })
  operator = await OperatorClient.create(service)
})
after(() => service.stop())

async function page(path: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(`${service.url}${path}`)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const publicJson = ({ id }: Json) => service.request('GET', `/api/v1/public/markets/${id}`)

function cells(text: string): string[] {
  return [...text.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, cell = '']) => cell)
}

test('a market has a public page from the moment that its owner wants one', async () => {
  const market = await operator.openMarket()
  assert.equal(market.publicPage, false)
  for (const path of [`/m/${market.id}`, `/m/${market.id}/embed`]) {
    assert.equal((await page(path)).status, 404)
  }
  assertRefused(await publicJson(market), 'MARKET_NOT_FOUND')
  const edited = await operator.patch(`/markets/${market.id}`, { publicPage: true })
  assert.equal(edited.publicPage, true)
  assert.deepEqual(await operator.market(market), edited)
  assert.equal((await page(`/m/${market.id}`)).status, 200)
  // Another edit keeps it.
  await operator.patch(`/markets/${market.id}`, { metadata: {} })
  await operator.act(market, 'close')
  assert.equal((await page(`/m/${market.id}/embed`)).status, 200)
  assert.equal(
    (await operator.patch(`/markets/${market.id}`, { publicPage: false })).publicPage,
    false,
  )
  assert.equal((await page(`/m/${market.id}`)).status, 404)
  assertRefused(await publicJson(market), 'MARKET_NOT_FOUND')
})

test('a body with another publicPage than true or false is refused', async () => {
  const { id } = await operator.createMarket({ publicPage: false })
  for (const publicPage of [null, 'true', 1]) {
    const created = await operator.request('POST', '/markets', { title: 'x', publicPage })
    assertRefused(created, 'VALIDATION_ERROR', 'publicPage')
    const edited = await operator.request('PATCH', `/markets/${id}`, { publicPage })
    assertRefused(edited, 'VALIDATION_ERROR', 'publicPage')
  }
})

test('a private, a draft, an unknown and a malformed id get the same friendly page', async () => {
  const hidden = await operator.openMarket({ title: 'Between us' })
  const draft = await operator.createMarket({ publicPage: true, title: 'Between us' })
  const { outcomes } = await operator.openMarket({ publicPage: true })
  const ids = [hidden.id, draft.id, outcomes[0].id, crypto.randomUUID(), 'nothing', '%22%3E%3Cb%3E']
  const texts = new Set<string>()
  for (const id of ids) {
    for (const path of [`/m/${id}`, `/m/${id}/embed`]) {
      const { status, text, headers } = await page(path)
      assert.equal(status, 404, path)
      assert.match(headers.get('content-type') ?? '', /^text\/html/)
      assert.equal(headers.get('cache-control'), 'no-store')
      texts.add(text)
    }
  }
  const [text = '', ...others] = texts
  assert.deepEqual(others, [])
  assert.match(text, /There is no public page here/)
})

test('the page shows outcomes, prices, volume and times without a script', async () => {
  const market = await operator.openMarket({
    title: 'Will it rain?',
    description: 'In Lisbon.',
    tradingEndsAt: '2099-01-01T12:00:00Z',
    metadata: { secret: 'metadata' },
    imageUrl: 'https://example.com/image.png',
    publicPage: true,
  })
  await operator.mint(market, 'secret-player', 2_000)
  await operator.sell(market, { player: 'secret-player', price: 0.64, shares: 1_500 })
  await operator.buy(market, { player: 'secret-player', price: 0.64, shares: 1_200 })
  await operator.buy(market, { player: 'secret-player', price: 0.6 })
  const { text } = await page(`/m/${market.id}`)
  assert.match(text, /<title>Will it rain\?<\/title>/)
  assert.match(text, /<h1 dir="auto">Will it rain\?<\/h1>/)
  assert.match(text, /og:title" content="Will it rain\?"/)
  assert.match(text, /og:description" content="Yes 62\.0% · No – – In Lisbon\."/)
  assert.deepEqual(cells(text), ['62.0%', '0.64', '0.60', '0.64', '–', '–', '–', '–'])
  assert.match(text, /data-volume>1,200</)
  assert.match(text, /2099-01-01 12:00 UTC/)
  assert.doesNotMatch(text, /secret|image\.png|operatorId/)

  const { body } = await publicJson(market)
  assert.deepEqual(Object.keys(body.data), [
    ...['id', 'title', 'description', 'status', 'tradingStartsAt', 'tradingEndsAt', 'resolvedAt'],
    ...['totalVolume', 'outcomes'],
  ])
  assert.deepEqual(body.data.outcomes[0], {
    id: market.outcomes[0].id,
    name: 'Yes',
    description: null,
    bestBid: 0.6,
    bestAsk: 0.64,
    lastPrice: 0.64,
    payoutPerShare: null,
  })
  await operator.act(market, 'close')
  await operator.resolve(market)
  assert.deepEqual(
    cells((await page(`/m/${market.id}`)).text).filter((cell) => /%/.test(cell)),
    ['100.0%', '0.0%'],
  )
  await operator.act(market, 'settle')
  assert.match((await page(`/m/${market.id}`)).text, /data-status="SETTLED">Settled</)
})

test('texts of operators are shown as texts, whatever they contain', async () => {
  const name = '</th><script>alert(1)</script>'
  for (const title of [
    '<script>alert(1)</script>',
    `"'><img src=x onerror="alert('1')">&amp;`,
    'האם יירד גשם? <b>מחר</b>',
    'هل ستمطر غداً؟',
    'x'.repeat(256),
  ]) {
    const market = await operator.openMarket({
      title,
      description: `${title}\n</p><style>*{}</style>`,
      outcomes: [{ name, description: name }, { name: title }],
      publicPage: true,
    })
    for (const path of [`/m/${market.id}`, `/m/${market.id}/embed`]) {
      const { text } = await page(path)
      assert.ok(text.includes(`<h1 dir="auto">${escapeHtml(title)}</h1>`), text)
      assert.ok(text.includes(`<bdi>${escapeHtml(title)}</bdi>`), text)
      const tags = new Set([...text.matchAll(/<(\w+)/g)].map(([, tag]) => tag))
      for (const tag of ['img', 'b', 'style']) assert.ok(!tags.has(tag), tag)
      assert.equal(text.match(/<script/g)?.length, 1, 'its own script only')
    }
  }
  const long = await operator.request('POST', '/markets', { title: 'x'.repeat(500) })
  assertRefused(long, 'VALIDATION_ERROR', 'title')
})

test('only the embedded page may be framed, and neither runs what it does not bring', async () => {
  const market = await operator.openMarket({ publicPage: true })
  const policyOf = async (path: string) => {
    const { headers } = await page(path)
    return (headers.get('content-security-policy') ?? '').split('; ')
  }
  for (const id of [market.id, crypto.randomUUID()]) {
    const own = await policyOf(`/m/${id}`)
    const embedded = await policyOf(`/m/${id}/embed`)
    assert.ok(own.includes("frame-ancestors 'none'"))
    assert.ok(embedded.includes('frame-ancestors *'))
    for (const policy of [own, embedded]) {
      assert.ok(policy.includes("default-src 'none'") && policy.includes("script-src 'self'"))
      assert.doesNotMatch(policy.join(), /unsafe|https?:/)
    }
  }
  assert.ok((await policyOf('/docs/')).includes("frame-ancestors 'none'"))
  for (const [file, type] of [
    ['page.css', 'text/css'],
    ['page.js', 'text/javascript'],
    ['figures.js', 'text/javascript'],
  ] as const) {
    const { status, headers } = await page(`/m/${file}`)
    assert.equal(status, 200)
    assert.ok(headers.get('content-type')?.startsWith(type))
  }
})

test('pages and their data count towards the public limit of the address', async () => {
  const id = crypto.randomUUID()
  for (const path of [`/m/${id}`, `/m/${id}/embed`, `/api/v1/public/markets/${id}`]) {
    assert.equal((await page(path)).headers.get('ratelimit-policy'), '"public";q=9000;w=1')
  }
})
