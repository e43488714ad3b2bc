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
  const [ownId, otherId] = [await newOperator(registry), await newOperator(registry, 'otherId')]
  const { webhooks } = registry
  return { tested, webhooks, ownId: ownId.operator.id, otherId: otherId.operator.id }
}

describe('a new webhook', () => {
  test('has the requested settings and is active', async () => {
    const { tested, webhooks, ownId } = await withOperators()
    const { webhook } = made(await webhooks.create(ownId, hook))
    const { id, sealedSecret } = webhook
    const times = { createdAt: tested.now, updatedAt: tested.now }
    const options = { retrySchedule: 'STANDARD', format: 'OUTCRY' }
    const secrets = { sealedSecret, previousSealedSecret: null, previousSecretUntil: null }
    const expected = {
      ...hook,
      id,
      operatorId: ownId,
      ...secrets,
      ...options,
      isActive: true,
      ...times,
    }
    assert.deepEqual(webhook, expected)
    assert.deepEqual(webhooks.get(ownId, id), webhook)
  })

  test('has its own secret of 64 hexadecimal digits, which survives a restart', async () => {
    const { tested, webhooks, ownId } = await withOperators()
    const [one, other] = [await webhooks.create(ownId, hook), await webhooks.create(ownId, hook)]
    const { webhook, secret } = made(one)
    assert.match(secret, /^[0-9a-f]{64}$/)
    assert.notEqual(made(other).secret, secret)
    const after = (await tested.open()).webhooks
    assert.equal(after.secretOf(after.get(ownId, webhook.id)!), secret)
  })

  test('is stored with its secret encrypted, for this webhook only', async () => {
    const { tested, webhooks, ownId, otherId } = await withOperators()
    const { webhook, secret } = made(await webhooks.create(ownId, hook))
    assert.ok(!JSON.stringify([...tested.store.webhooks.rows.values()]).includes(secret))
    for (const moved of [{ operatorId: otherId }, { id: 'another' }]) {
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
      const { webhooks, ownId } = await withOperators()
      const created = await webhooks.create(ownId, { ...hook, ...changes })
      assert.ok(isReject(created) && message.test(created.message))
      assert.equal(created.code, 'VALIDATION_ERROR')

      const { webhook } = made(await webhooks.create(ownId, hook))
      const updated = await webhooks.update(ownId, webhook.id, changes)
      assert.ok(isReject(updated) && message.test(updated.message))
      assert.deepEqual(webhooks.get(ownId, webhook.id), webhook)
    })
  }

  test('can subscribe to all events, by name or by naming none', async () => {
    const { webhooks, ownId } = await withOperators()
    made(await webhooks.create(ownId, { ...hook, events: [] }))
    made(await webhooks.create(ownId, { ...hook, events: eventTypes }))
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
  test('are at most 20, even of 30 concurrent requests; a deletion allows one more', async () => {
    const { webhooks, ownId, otherId } = await withOperators()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => webhooks.create(ownId, hook)),
    )
    const refusals = answers.filter((answer) => isReject(answer))
    assert.deepEqual([...new Set(refusals.map(({ code }) => code))], ['WEBHOOK_LIMIT'])
    assert.equal(webhooksMax, 20)
    assert.equal(webhooks.list(ownId).length, 20)
    made(await webhooks.create(otherId, hook))
    made(await webhooks.delete(ownId, webhooks.list(ownId)[0]!.id))
    made(await webhooks.create(ownId, hook))
  })

  test('are listed newest first', async () => {
    const { tested, webhooks, ownId } = await withOperators()
    for (const description of ['a', 'b', 'c']) {
      tested.now += 1
      made(await webhooks.create(ownId, { ...hook, description }))
    }
    for (const each of [webhooks, (await tested.open()).webhooks]) {
      const order = each.list(ownId).map(({ description }) => description)
      assert.deepEqual(order, ['c', 'b', 'a'])
    }
  })

  test('cannot be read, changed or deleted by another operator', async () => {
    const { webhooks, ownId, otherId } = await withOperators()
    const { webhook } = made(await webhooks.create(ownId, hook))
    assert.equal(webhooks.get(otherId, webhook.id), undefined)
    assert.deepEqual(webhooks.list(otherId), [])
    for (const answer of [
      await webhooks.update(otherId, webhook.id, { isActive: false }),
      await webhooks.delete(otherId, webhook.id),
      await webhooks.delete(ownId, 'none'),
    ]) {
      assert.ok(isReject(answer) && answer.code === 'WEBHOOK_NOT_FOUND')
    }
    assert.deepEqual(webhooks.get(ownId, webhook.id), webhook)
  })
})

describe('a changed webhook', () => {
  test('keeps the fields that are not named, and its secret', async () => {
    const { tested, webhooks, ownId } = await withOperators()
    const { webhook, secret } = made(await webhooks.create(ownId, hook))
    tested.now += 1_000
    const changes = { isActive: false, events: [], sealedSecret: 'mine', operatorId: 'mine' }
    const changed = made(await webhooks.update(ownId, webhook.id, changes))
    const expected = { ...webhook, isActive: false, events: [], updatedAt: tested.now }
    assert.deepEqual(changed, expected)
    assert.equal(webhooks.secretOf(changed), secret)
    assert.deepEqual((await tested.open()).webhooks.get(ownId, webhook.id), changed)
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
    const { webhooks, ownId } = await withOperators()
    const { webhook } = made(await webhooks.create(ownId, hook))
    await Promise.all([
      webhooks.update(ownId, webhook.id, { description: null }),
      webhooks.update(ownId, webhook.id, { isActive: false }),
    ])
    const { description, isActive } = webhooks.get(ownId, webhook.id)!
    assert.deepEqual({ description, isActive }, { description: null, isActive: false })
  })

  test('is gone after its deletion, also after a restart', async () => {
    const { tested, webhooks, ownId } = await withOperators()
    const { webhook } = made(await webhooks.create(ownId, hook))
    assert.equal(await webhooks.delete(ownId, webhook.id), null)
    assert.equal(webhooks.get(ownId, webhook.id), undefined)
    assert.deepEqual((await tested.open()).webhooks.list(ownId), [])
  })
})

describe('a webhook that its receiver has given up', () => {
  test('is inactive, unless its URL has changed or it is deleted', async () => {
    const { tested, webhooks, ownId } = await withOperators()
    const [{ webhook }, { webhook: moved }, { webhook: gone }] = [
      made(await webhooks.create(ownId, hook)),
      made(await webhooks.create(ownId, hook)),
      made(await webhooks.create(ownId, hook)),
    ]
    await webhooks.update(ownId, moved.id, { url: 'https://example.com/other' })
    await webhooks.delete(ownId, gone.id)
    tested.changedWebhooks.length = 0
    for (const each of [webhook, webhook, moved, gone]) await webhooks.deactivate(each)
    assert.equal(webhooks.get(ownId, webhook.id)?.isActive, false)
    assert.equal(webhooks.get(ownId, moved.id)?.isActive, true)
    assert.deepEqual(tested.changedWebhooks, [webhook.id])
  })
})

describe('a rotated secret', () => {
  const hourMs = 3_600_000
  async function rotatedWebhook(overlapMs = 24 * hourMs) {
    const context = await withOperators()
    const { webhooks, ownId } = context
    const { webhook, secret: first } = made(await webhooks.create(ownId, hook))
    const { id } = webhook
    const { secret: second } = made(await webhooks.rotateSecret(ownId, id, { overlapMs }))
    const signing = () => webhooks.signingSecretsOf(webhooks.get(ownId, id)!)
    return { ...context, id, first, second, signing }
  }

  test('signs beside the one before until the overlap ends, also after a restart', async () => {
    const { tested, ownId, id, first, second, signing } = await rotatedWebhook()
    assert.match(second, /^[0-9a-f]{64}$/)
    assert.notEqual(second, first)
    tested.now += 24 * hourMs - 1
    assert.deepEqual(signing(), [second, first])
    const { webhooks } = await tested.open()
    assert.deepEqual(webhooks.signingSecretsOf(webhooks.get(ownId, id)!), [second, first])
    tested.now += 1
    assert.deepEqual(signing(), [second])
  })

  test('signs alone without an overlap', async () => {
    const { second, signing } = await rotatedWebhook(0)
    assert.deepEqual(signing(), [second])
  })

  test('ends the overlap of the rotation before: two secrets sign at most', async () => {
    const { tested, webhooks, ownId, id, second, signing } = await rotatedWebhook()
    const { secret: third } = made(await webhooks.rotateSecret(ownId, id, { overlapMs: hourMs }))
    assert.deepEqual(signing(), [third, second])
    tested.now += hourMs
    assert.deepEqual(signing(), [third])
  })

  test('is the answer to another attempt of the rotation, which changes nothing', async () => {
    const { tested, webhooks, ownId, id, first, second, signing } = await rotatedWebhook()
    const begunAt = tested.now
    tested.now += 5_000
    const again = { overlapMs: 24 * hourMs, since: begunAt }
    const { secret } = made(await webhooks.rotateSecret(ownId, id, again))
    assert.equal(secret, second)
    assert.deepEqual(signing(), [second, first])
    const later = { ...again, since: begunAt + 1 }
    const { secret: third } = made(await webhooks.rotateSecret(ownId, id, later))
    assert.deepEqual(signing(), [third, second])
  })

  test('is stored encrypted, and the one before is deleted with the next change', async () => {
    const { tested, webhooks, ownId, id, first, second } = await rotatedWebhook()
    const stored = () => JSON.stringify([...tested.store.webhooks.rows.values()])
    assert.ok(!stored().includes(first) && !stored().includes(second))
    const before = made(await webhooks.update(ownId, id, { isActive: false }))
    assert.notEqual(before.previousSealedSecret, null)
    tested.now += 24 * hourMs
    const after = made(await webhooks.update(ownId, id, { isActive: true }))
    assert.deepEqual([after.previousSealedSecret, after.previousSecretUntil], [null, null])
  })

  test('leaves a webhook of another operator as it is', async () => {
    const { webhooks, otherId, id, first, second, signing } = await rotatedWebhook()
    const answer = await webhooks.rotateSecret(otherId, id, { overlapMs: 0 })
    assert.ok(isReject(answer) && answer.code === 'WEBHOOK_NOT_FOUND')
    assert.deepEqual(signing(), [second, first])
  })
})

describe('the delivery of events', () => {
  test('is notified of a created, changed or deleted webhook, and of no rejection', async () => {
    const { tested, webhooks, ownId } = await withOperators()
    const { webhook } = made(await webhooks.create(ownId, hook))
    assert.deepEqual(tested.changedWebhooks, [webhook.id])
    await webhooks.update(ownId, webhook.id, { url: 'ftp://example.com' })
    await webhooks.delete(ownId, 'none')
    assert.equal(tested.changedWebhooks.length, 1)
    await webhooks.update(ownId, webhook.id, { isActive: false })
    await webhooks.delete(ownId, webhook.id)
    assert.deepEqual(tested.changedWebhooks, Array(3).fill(webhook.id))
  })

  test('is notified of changes of a write that failed but was stored', async () => {
    const { tested, webhooks, ownId } = await withOperators()
    const { webhook } = made(await webhooks.create(ownId, hook))
    tested.store.nextWrite = 'stored, but failed'
    await assert.rejects(webhooks.update(ownId, webhook.id, { isActive: false }))
    assert.equal(tested.changedWebhooks.length, 1)
    made(await webhooks.create(ownId, hook))
    assert.equal(tested.changedWebhooks[1], webhook.id)
    tested.store.nextWrite = 'stored, but failed'
    await assert.rejects(webhooks.delete(ownId, webhook.id))
    made(await webhooks.create(ownId, hook))
    assert.equal(tested.changedWebhooks.at(-2), webhook.id)
  })
})
