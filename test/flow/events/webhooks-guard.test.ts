// Webhooks may lead only to public addresses: at creation, at edits, and at every attempt, whatever
// a name resolves to by then. Canaries listen on addresses that must not be reached.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { WebhookSender } from '../../../src/feed/webhooks/webhook-sender.ts'
import { checkWebhookUrl, isPublicAddress } from '../../../src/registry/webhook-url.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { hostileHosts } from '../../support/webhooks/hostile-hosts.ts'
import { Receiver, until } from '../../support/webhooks/receiver.ts'

const forms = Object.values(hostileHosts).flat()
const closing: (() => unknown)[] = []
after(async () => {
  for (const close of closing.reverse()) await close()
})

const asTheServiceDoes = {
  urlError: (url: string) => checkWebhookUrl(url, { allowInsecure: false })?.message ?? null,
  isAllowed: isPublicAddress,
}
/** As if the URL had been accepted earlier, under other rules. */
const addressesOnly = { urlError: () => null, isAllowed: isPublicAddress }
const posting = { headers: {}, body: Buffer.from('{"sequence":1}') }

async function canaries(): Promise<readonly Receiver[]> {
  const opened: Receiver[] = []
  for (const host of ['127.0.0.1', '::1']) {
    const canary = await Receiver.open(undefined, { host })
    closing.push(() => canary.close())
    opened.push(canary)
  }
  return opened
}

function connectionsAt(opened: readonly Receiver[]): number {
  return opened.reduce((sum, { connections }) => sum + connections, 0)
}

describe('the service refuses', () => {
  test('every hostile form of URL, at creation and at an edit', async () => {
    assert.ok(forms.length >= 60)
    const service = await Service.start({ env: { RATE_LIMIT_REQUESTS: '0' } })
    closing.push(() => service.stop())
    const { key } = await service.newOperator()
    const good = { url: 'https://example.com/hook' }
    const { body } = await service.request('POST', '/api/v1/webhooks', { key, body: good })
    const ports = [22, 25, 6_379].map((port) => `example.com:${port}`)
    for (const host of [...forms, ...ports]) {
      const url = `https://${host}/hook`
      const made = await service.request('POST', '/api/v1/webhooks', { key, body: { url } })
      assert.equal(made.status, 400, `${url} was accepted`)
      const path = `/api/v1/webhooks/${body.data.id}`
      const edited = await service.request('PATCH', path, { key, body: { url } })
      assert.equal(edited.body.error?.code, 'VALIDATION_ERROR', `${url} was accepted by an edit`)
    }
    const { body: list } = await service.request('GET', '/api/v1/webhooks', { key })
    assert.deepEqual(
      list.data.map(({ url }: { url: string }) => url),
      [good.url],
    )
  })

  test('to deliver to this machine, even if that was allowed at creation', async () => {
    const opened = await canaries()
    const dataDir = await newFolder()
    closing.push(() => rm(dataDir, { recursive: true, force: true }))
    const lax = await Service.start({ dataDir, env: { WEBHOOK_ALLOW_INSECURE: 'true' } })
    const { key } = await lax.newOperator()
    for (const { port } of opened) {
      for (const host of ['127.0.0.1', '[::1]', 'localhost', '0.0.0.0', '[::ffff:127.0.0.1]']) {
        for (const scheme of ['http', 'https']) {
          const url = `${scheme}://${host}:${port}/`
          await lax.request('POST', '/api/v1/webhooks', { key, body: { url } })
        }
      }
    }
    await lax.stop()
    const strict = await Service.start({ dataDir })
    closing.push(() => strict.stop())
    await strict.request('POST', '/api/v1/markets', { key, body: { title: 'Rain?' } })
    const { body: list } = await strict.request('GET', '/api/v1/webhooks', { key })
    assert.equal(list.data.length, 20)
    for (const { id } of list.data) {
      const path = `/api/v1/webhooks/${id}`
      const tested = await strict.request('POST', `${path}/test`, { key })
      assert.equal(tested.body.data.status, 'FAILED')
      await until(async () => {
        const { body } = await strict.request('GET', `${path}/deliveries`, { key })
        return body.data.deliveries.some(({ sequence }: { sequence: number }) => sequence === 1)
      })
    }
    assert.equal(connectionsAt(opened), 0)
  })
})

describe('an attempt reaches no canary', () => {
  for (const [name, addressFilter] of Object.entries({ asTheServiceDoes, addressesOnly })) {
    test(`by any hostile form, with the filter ${name}`, async () => {
      const opened = await canaries()
      // Whatever is no address is a name here, and every name leads to this machine.
      const resolve = async () => ['127.0.0.1', '::1']
      const sender = new WebhookSender({ addressFilter, resolve, timeoutMs: 1_000 })
      closing.push(() => sender.close())
      for (const { port } of opened) {
        for (const host of forms) {
          for (const scheme of ['http', 'https']) {
            const url = `${scheme}://${host}:${port}/`
            const outcome = await sender.attempt({ ...posting, url })
            assert.equal(outcome.httpStatus, null, url)
          }
        }
      }
      assert.equal(connectionsAt(opened), 0)
    })
  }

  test('by a name that had a public address at the previous attempt', async () => {
    const opened = await canaries()
    for (const { port } of opened) {
      for (const later of [['127.0.0.1'], ['::1'], ['93.184.216.34', '::1'], ['10.0.0.1']]) {
        let questions = 0
        const resolve = async () => {
          questions += 1
          // Public, and nothing listens there.
          return questions === 1 ? ['2a00:1450::dead'] : later
        }
        const sender = new WebhookSender({
          addressFilter: asTheServiceDoes,
          resolve,
          timeoutMs: 200,
        })
        const url = `https://rebinding.example.com:${port}/`
        await sender.attempt({ ...posting, url })
        assert.equal(questions, 1, 'an attempt asks once')
        const second = await sender.attempt({ ...posting, url })
        assert.match(second.error ?? '', /not public/)
        sender.close()
      }
    }
    assert.equal(connectionsAt(opened), 0)
  })

  test('on the port of another protocol, even if that was allowed at creation', async () => {
    let questions = 0
    const resolve = async () => {
      questions += 1
      return ['93.184.216.34']
    }
    const sender = new WebhookSender({ addressFilter: asTheServiceDoes, resolve, timeoutMs: 200 })
    closing.push(() => sender.close())
    for (const port of [22, 25, 6_379]) {
      const outcome = await sender.attempt({ ...posting, url: `https://example.com:${port}/` })
      assert.match(outcome.error ?? '', /port of a web server/)
    }
    assert.equal(questions, 0, 'not even the name is resolved')
  })

  test('by a redirect', async () => {
    const opened = await canaries()
    const receiver = await Receiver.open()
    closing.push(() => receiver.close())
    const anywhere = { urlError: () => null, isAllowed: () => true }
    const sender = new WebhookSender({ addressFilter: anywhere, resolve: async () => [] })
    closing.push(() => sender.close())
    for (const { url: location } of opened) {
      for (const status of [301, 302, 303, 307, 308]) {
        receiver.respond = (response) => response.writeHead(status, { location }).end()
        await sender.attempt({ ...posting, url: receiver.url })
      }
    }
    assert.equal(receiver.received.length, 10)
    assert.equal(connectionsAt(opened), 0)
  })
})
