// Webhooks: owners, limits, and how their secrets are stored.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { made, newOperator, TestRegistry } from '../../test/support/store/registry.ts'
import { eventTypes } from '../core/words.ts'
import { isReject } from './reject.ts'
import { DecryptionError } from './secrets-key.ts'
import { webhooksMax } from './webhooks.ts'

const hook = { url: 'https://example.com/hook', events: ['ORDER_PLACED'], description: 'Mine' }

async function withOperators() {
  const tested = new TestRegistry()
  const registry = await tested.open()
  const [house, participant] = [
    await newOperator(registry),
    await newOperator(registry, 'participant'),
  ]
  const { webhooks } = registry
  return { tested, webhooks, house: house.operator.id, participant: participant.operator.id }
}

describe('a new webhook', () => {
  test('has the requested settings and is active', async () => {
    const { tested, webhooks, house } = await withOperators()
    const { webhook } = made(await webhooks.create(house, hook))
    const { id, sealedSecret } = webhook
    const times = { createdAt: tested.now, updatedAt: tested.now }
    const expected = { ...hook, id, operatorId: house, sealedSecret, isActive: true, ...times }
    assert.deepEqual(webhook, expected)
    assert.deepEqual(webhooks.get(house, id), webhook)
  })

  test('has its own secret of 64 hexadecimal digits, which survives a restart', async () => {
    const { tested, webhooks, house } = await withOperators()
    const [one, other] = [await webhooks.create(house, hook), await webhooks.create(house, hook)]
    const { webhook, secret } = made(one)
    assert.match(secret, /^[0-9a-f]{64}$/)
    assert.notEqual(made(other).secret, secret)
    const after = (await tested.open()).webhooks
    assert.equal(after.secretOf(after.get(house, webhook.id)!), secret)
  })

  test('is stored with its secret encrypted, for this webhook only', async () => {
    const { tested, webhooks, house, participant } = await withOperators()
    const { webhook, secret } = made(await webhooks.create(house, hook))
    assert.ok(!JSON.stringify([...tested.store.webhooks.rows.values()]).includes(secret))
    for (const moved of [{ operatorId: participant }, { id: 'another' }]) {
      assert.throws(() => webhooks.secretOf({ ...webhook, ...moved }), DecryptionError)
    }
  })

  const invalid: readonly (readonly [changes: object, message: RegExp])[] = [
    [{ url: 'http://example.com/' }, /^url: .*https/],
    [{ url: 'https://169.254.169.254/' }, /^url: .*public/],
    [{ events: ['ORDER_PLACED', 'ORDER_EATEN'] }, /^events: "ORDER_EATEN" is not one of/],
    [{ events: ['ORDER_PLACED', 'ORDER_PLACED'] }, /^events: duplicate event type "ORDER_PLACED"/],
    [{ description: 'a'.repeat(8_193) }, /^description: /],
  ]
  for (const [changes, message] of invalid) {
    test(`is rejected with ${JSON.stringify(changes).slice(0, 50)}, as is a change`, async () => {
      const { webhooks, house } = await withOperators()
      const created = await webhooks.create(house, { ...hook, ...changes })
      assert.ok(isReject(created) && message.test(created.message))
      assert.equal(created.code, 'VALIDATION_ERROR')

      const { webhook } = made(await webhooks.create(house, hook))
      const updated = await webhooks.update(house, webhook.id, changes)
      assert.ok(isReject(updated) && message.test(updated.message))
      assert.deepEqual(webhooks.get(house, webhook.id), webhook)
    })
  }

  test('can subscribe to all events, by name or by naming none', async () => {
    const { webhooks, house } = await withOperators()
    made(await webhooks.create(house, { ...hook, events: [] }))
    made(await webhooks.create(house, { ...hook, events: eventTypes }))
  })

  test('can use http and this machine if the installation allows it', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open({ allowInsecureWebhooks: true })
    const { operator } = await newOperator(registry)
    const url = 'http://127.0.0.1:9000/hook'
    made(await registry.webhooks.create(operator.id, { ...hook, url }))
  })

  test('cannot belong to an operator that does not exist', async () => {
    const { webhooks } = await withOperators()
    const answer = await webhooks.create('nobody', hook)
    assert.ok(isReject(answer) && answer.code === 'OPERATOR_NOT_FOUND')
  })
})

describe('the webhooks of an operator', () => {
  test('are at most 20, even of 30 concurrent requests, and one more after a deletion', async () => {
    const { webhooks, house, participant } = await withOperators()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => webhooks.create(house, hook)),
    )
    const refusals = answers.filter((answer) => isReject(answer))
    assert.deepEqual([...new Set(refusals.map(({ code }) => code))], ['WEBHOOK_LIMIT'])
    assert.equal(webhooksMax, 20)
    assert.equal(webhooks.list(house).length, 20)
    made(await webhooks.create(participant, hook))
    made(await webhooks.delete(house, webhooks.list(house)[0]!.id))
    made(await webhooks.create(house, hook))
  })

  test('are listed newest first', async () => {
    const { tested, webhooks, house } = await withOperators()
    for (const description of ['a', 'b', 'c']) {
      tested.now += 1
      made(await webhooks.create(house, { ...hook, description }))
    }
    for (const each of [webhooks, (await tested.open()).webhooks]) {
      const order = each.list(house).map(({ description }) => description)
      assert.deepEqual(order, ['c', 'b', 'a'])
    }
  })

  test('cannot be read, changed or deleted by another operator', async () => {
    const { webhooks, house, participant } = await withOperators()
    const { webhook } = made(await webhooks.create(house, hook))
    assert.equal(webhooks.get(participant, webhook.id), undefined)
    assert.deepEqual(webhooks.list(participant), [])
    for (const answer of [
      await webhooks.update(participant, webhook.id, { isActive: false }),
      await webhooks.delete(participant, webhook.id),
      await webhooks.delete(house, 'none'),
    ]) {
      assert.ok(isReject(answer) && answer.code === 'WEBHOOK_NOT_FOUND')
    }
    assert.deepEqual(webhooks.get(house, webhook.id), webhook)
  })
})

describe('a changed webhook', () => {
  test('keeps the fields that are not named, and its secret', async () => {
    const { tested, webhooks, house } = await withOperators()
    const { webhook, secret } = made(await webhooks.create(house, hook))
    tested.now += 1_000
    const changes = { isActive: false, events: [], sealedSecret: 'mine', operatorId: 'mine' }
    const changed = made(await webhooks.update(house, webhook.id, changes))
    const expected = { ...webhook, isActive: false, events: [], updatedAt: tested.now }
    assert.deepEqual(changed, expected)
    assert.equal(webhooks.secretOf(changed), secret)
    assert.deepEqual((await tested.open()).webhooks.get(house, webhook.id), changed)
  })

  test('keeps a URL that is no longer allowed, unless it is sent again', async () => {
    const tested = new TestRegistry()
    const lax = await tested.open({ allowInsecureWebhooks: true })
    const { operator } = await newOperator(lax)
    const url = 'http://127.0.0.1:9000/hook'
    const { webhook } = made(await lax.webhooks.create(operator.id, { ...hook, url }))
    const { webhooks } = await tested.open()
    const off = made(await webhooks.update(operator.id, webhook.id, { isActive: false }))
    assert.deepEqual([off.url, off.isActive], [url, false])
    const sent = await webhooks.update(operator.id, webhook.id, { url })
    assert.ok(isReject(sent) && sent.message.startsWith('url: '))
  })

  test('keeps both of two concurrent changes', async () => {
    const { webhooks, house } = await withOperators()
    const { webhook } = made(await webhooks.create(house, hook))
    await Promise.all([
      webhooks.update(house, webhook.id, { description: null }),
      webhooks.update(house, webhook.id, { isActive: false }),
    ])
    const { description, isActive } = webhooks.get(house, webhook.id)!
    assert.deepEqual({ description, isActive }, { description: null, isActive: false })
  })

  test('is gone after its deletion, also after a restart', async () => {
    const { tested, webhooks, house } = await withOperators()
    const { webhook } = made(await webhooks.create(house, hook))
    assert.equal(await webhooks.delete(house, webhook.id), null)
    assert.equal(webhooks.get(house, webhook.id), undefined)
    assert.deepEqual((await tested.open()).webhooks.list(house), [])
  })
})

describe('the delivery of events', () => {
  test('is notified of a created, changed or deleted webhook, and of no rejection', async () => {
    const { tested, webhooks, house } = await withOperators()
    const { webhook } = made(await webhooks.create(house, hook))
    assert.deepEqual(tested.toldWebhooks, [webhook.id])
    await webhooks.update(house, webhook.id, { url: 'ftp://example.com' })
    await webhooks.delete(house, 'none')
    assert.equal(tested.toldWebhooks.length, 1)
    await webhooks.update(house, webhook.id, { isActive: false })
    await webhooks.delete(house, webhook.id)
    assert.deepEqual(tested.toldWebhooks, Array(3).fill(webhook.id))
  })

  test('is notified of changes of a write that failed but was stored', async () => {
    const { tested, webhooks, house } = await withOperators()
    const { webhook } = made(await webhooks.create(house, hook))
    tested.store.nextWrite = 'stored, but failed'
    await assert.rejects(webhooks.update(house, webhook.id, { isActive: false }))
    assert.equal(tested.toldWebhooks.length, 1)
    made(await webhooks.create(house, hook))
    assert.equal(tested.toldWebhooks[1], webhook.id)
    tested.store.nextWrite = 'stored, but failed'
    await assert.rejects(webhooks.delete(house, webhook.id))
    made(await webhooks.create(house, hook))
    assert.equal(tested.toldWebhooks.at(-2), webhook.id)
  })
})
