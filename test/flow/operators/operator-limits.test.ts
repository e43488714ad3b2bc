// The limits on an operator's markets, outcomes and text, and the texts that only the store has,
// over HTTP and over a restart.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import {
  type Answer,
  type Json,
  newFolder,
  Service,
  type ServiceOptions,
} from '../../support/process/outcry-process.ts'

const env = {
  MAX_OPERATOR_MARKETS: '5',
  MAX_OPERATOR_OUTCOMES: '100',
  MAX_OPERATOR_TEXT_MB: '1',
}
let options: ServiceOptions
let service: Service
before(async () => {
  options = { dataDir: await newFolder(), env }
  service = await Service.start(options)
})
after(async () => {
  await service.stop()
  await rm(options.dataDir!, { recursive: true, force: true })
})

function assertLimited(answer: Answer, limit: keyof typeof env): void {
  assertRefused(answer, 'OPERATOR_LIMIT', `at most ${env[limit]} `)
  assert.deepEqual(answer.body.error.details, { limit, max: Number(env[limit]) })
}

/** As many outcomes, with descriptions of that many characters. */
function outcomes(count: number, length: number): object[] {
  const description = 'é'.repeat(length)
  return Array.from({ length: count }, (_, index) => ({ name: `Outcome ${index}`, description }))
}

async function restart(operator: OperatorClient): Promise<OperatorClient> {
  await service.stop()
  service = await Service.start(options)
  return new OperatorClient(service, operator)
}

test('markets are limited, over a restart, until one of them ends', async () => {
  const operator = await OperatorClient.create(service)
  const body = { title: 'Rain?' }
  const first = await operator.post('/markets', body)
  for (let count = 1; count < 5; count += 1) await operator.post('/markets', body)
  assertLimited(await operator.request('POST', '/markets', body), 'MAX_OPERATOR_MARKETS')
  const again = await restart(operator)
  assertLimited(await again.request('POST', '/markets', body), 'MAX_OPERATOR_MARKETS')
  await again.post(`/markets/${first.id}/cancel`, { reason: 'No weather' })
  await again.post('/markets', body)
  assertLimited(await again.request('POST', '/markets', body), 'MAX_OPERATOR_MARKETS')
  const edited = await again.request('PATCH', `/markets/${first.id}`, { metadata: { a: 1 } })
  assert.equal(edited.status, 200, 'a market that has ended can be edited')
})

test('the outcomes of all markets of an operator together are limited', async () => {
  const operator = await OperatorClient.create(service)
  await operator.post('/markets', { title: 'Rain?', outcomes: outcomes(60, 0) })
  const body = { title: 'Rain?', outcomes: outcomes(41, 0) }
  assertLimited(await operator.request('POST', '/markets', body), 'MAX_OPERATOR_OUTCOMES')
  await operator.post('/markets', { ...body, outcomes: outcomes(40, 0) })
})

test('text is limited in new markets and in edits, over a restart', async () => {
  const created = await OperatorClient.create(service)
  // 240 KiB of UTF-8, so that four fit into 1 MB and leave about 63 KiB.
  const body = { title: 'Rain?', outcomes: outcomes(15, 8_192) }
  const markets: { readonly id: string }[] = []
  for (let count = 0; count < 4; count += 1) markets.push(await created.post('/markets', body))
  assertLimited(await created.request('POST', '/markets', body), 'MAX_OPERATOR_TEXT_MB')
  const operator = await restart(created)
  assertLimited(await operator.request('POST', '/markets', body), 'MAX_OPERATOR_TEXT_MB')

  // 32 KiB of UTF-8.
  const more = { description: 'é'.repeat(8_192), metadata: { text: 'x'.repeat(16_000) } }
  const edit = (index: number, changes: object) =>
    operator.request('PATCH', `/markets/${markets[index]!.id}`, changes)
  assert.equal((await edit(0, more)).status, 200)
  assert.equal((await edit(1, more)).status, 200)
  assertLimited(await edit(2, more), 'MAX_OPERATOR_TEXT_MB')
  const { description, metadata } = await operator.get(`/markets/${markets[2]!.id}`)
  assert.deepEqual([description, metadata], [null, null], 'a refused edit changes nothing')
  assert.equal((await edit(0, { description: null })).status, 200)
  assert.equal((await edit(2, { description: more.description })).status, 200)
})

test('an edit changes only its own texts, also of a market of an earlier start', async () => {
  const texts = {
    title: 'Rain?',
    description: 'In the valley.\nAt noon.',
    imageUrl: 'https://example.com/rain.png',
    metadata: { city: 'Lisbon', odds: [0.5] },
  }
  const named = [
    { name: 'Yes', description: 'Über 1 mm' },
    { name: 'No', description: null },
  ]
  const created = await OperatorClient.create(service)
  const market = await created.post('/markets', { ...texts, outcomes: named })
  assert.deepEqual(shown(market), { ...texts, outcomes: named })
  const operator = await restart(created)
  const path = `/markets/${market.id}`
  assert.deepEqual(await operator.get(path), market)
  const titled = await operator.request('PATCH', path, { title: 'Hail?' })
  assert.deepEqual(shown(titled.body.data), { ...texts, title: 'Hail?', outcomes: named })
  const opened = await operator.post(`${path}/open`)
  assert.deepEqual(shown(opened), { ...texts, title: 'Hail?', outcomes: named })
  const edits = await Promise.all([
    operator.request('PATCH', path, { imageUrl: null }),
    operator.request('PATCH', path, { metadata: { city: 'Porto' } }),
  ])
  assert.deepEqual(
    edits.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(shown(await operator.get(path)), {
    ...texts,
    title: 'Hail?',
    imageUrl: null,
    metadata: { city: 'Porto' },
    outcomes: named,
  })
})

function shown({ title, description, imageUrl, metadata, outcomes }: Json): object {
  return {
    title,
    description,
    imageUrl,
    metadata,
    outcomes: outcomes.map(({ name, description }: Json) => ({ name, description })),
  }
}
