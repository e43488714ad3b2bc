// The registry of a cluster: nodes that share a PostgreSQL database decide conflicting writes one
// after the other, and a write is answered once every live node has applied it.

import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { refusalOfFault } from '../../src/api/faults.ts'
import { isReject } from '../../src/registry/reject.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { until } from '../support/http/answers.ts'
import { TcpProxy } from '../support/process/tcp-proxy.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'
import { made, newOperator } from '../support/store/registry.ts'
import {
  type RegistryNodeOptions,
  startRegistryNode,
  type Verdict,
} from './support/registry-node.ts'

const server = await postgresOrNot('the registry of a cluster', quick)
const revocations = 150
const sports = { name: 'Sports', slug: 'sports', description: null, iconUrl: null, sortOrder: 0 }
const usualKey = { label: null, scopes: ['read'], expiresAt: null }
const onLost = (_shard: number, cause: Error) => assert.fail(cause)
const nodeFile = fileURLToPath(new URL('./support/registry-node.ts', import.meta.url))

if (server !== null) {
  after(() => server.stop())

  const newDatabase = async () => {
    const { url } = await server.newDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'outcry-cluster-'))
    const store = await openPostgresStore({ url, folder, onLost })
    await store.close()
    rmSync(folder, { recursive: true })
    return url
  }

  const nodeOf = async (t: TestContext, options: RegistryNodeOptions) => {
    const node = await startRegistryNode(options)
    t.after(() => node.stop())
    return node
  }

  const proxyOf = async (t: TestContext, url: string) => {
    const proxy = await TcpProxy.open(url)
    t.after(() => proxy.close())
    const proxied = new URL(url)
    proxied.port = String(proxy.port)
    return { proxy, proxied: proxied.href }
  }

  test('of two creations of a slug at two nodes, one succeeds', async (t) => {
    const url = await newDatabase()
    const [one, other] = [await nodeOf(t, { url }), await nodeOf(t, { url })]
    for (let round = 0; round < 100; round += 1) {
      const wanted = { ...sports, slug: `slug-${round}` }
      const answers = await Promise.all([
        one.registry.categories.create(null, wanted),
        other.registry.categories.create(null, wanted),
      ])
      const rejects = answers.filter(isReject)
      assert.deepEqual(
        rejects.map(({ code }) => code),
        ['CATEGORY_DUPLICATE_SLUG'],
      )
      const made = answers.find((answer) => !isReject(answer))
      assert.ok(made !== undefined && 'slug' in made)
      assert.deepEqual(one.registry.categories.get(made.id), made)
      assert.deepEqual(other.registry.categories.get(made.id), made)
    }
  })

  test('operators created at two nodes at once have different numbers', async (t) => {
    const url = await newDatabase()
    const nodes = [await nodeOf(t, { url }), await nodeOf(t, { url })]
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, count) =>
        newOperator(nodes[count % 2]!.registry, `o${count}`),
      ),
    )
    const numbers = created.map(({ operator }) => operator.number)
    assert.deepEqual(
      numbers.sort((one, other) => one - other),
      Array.from({ length: 40 }, (_, count) => count + 1),
    )
    for (const { registry } of nodes) assert.equal(registry.operators.list().length, 40)
  })

  test(`a key revoked at one node is refused at the other, ${revocations} times`, async (t) => {
    const url = await newDatabase()
    const [one, other] = [await nodeOf(t, { url }), await nodeOf(t, { url })]
    const { operator } = await newOperator(one.registry)
    for (let round = 0; round < revocations; round += 1) {
      const [here, there] = round % 2 === 0 ? [one, other] : [other, one]
      const { key, apiKey } = made(await here.registry.keys.create(operator.id, usualKey))
      assert.equal(there.verdictOn(apiKey), 'ADMITTED', `round ${round}`)
      made(await here.registry.keys.revoke(operator.id, key.id))
      assert.equal(there.verdictOn(apiKey), 'UNAUTHORIZED', `round ${round}`)
    }
    assert.deepEqual([...one.failures, ...other.failures], [])
  })

  test('a revocation waits for a frozen node, which admits nobody when it wakes', async (t) => {
    const url = await newDatabase()
    const one = await nodeOf(t, { url })
    const { operator } = await newOperator(one.registry)
    const child = fork(nodeFile, [url])
    t.after(() => child.kill('SIGKILL'))
    await once(child, 'message')
    for (let round = 0; round < 3; round += 1) {
      const { key, apiKey } = made(await one.registry.keys.create(operator.id, usualKey))
      assert.equal((await ask(child, apiKey)).verdict, 'ADMITTED')
      child.kill('SIGSTOP')
      const startedAt = performance.now()
      made(await one.registry.keys.revoke(operator.id, key.id))
      const tookMs = performance.now() - startedAt
      const answeredAt = Date.now()
      t.diagnostic(`the revocation took ${Math.round(tookMs)} ms`)
      assert.ok(tookMs > 1_000 && tookMs < 4_000, `took ${tookMs} ms`)
      const verdicts = watch(child)
      child.kill('SIGCONT')
      await until(
        async () => verdicts.at(-1)?.verdict,
        (verdict) => verdict === 'UNAUTHORIZED',
      )
      const late = verdicts.filter(({ at }) => at >= answeredAt).map(({ verdict }) => verdict)
      assert.equal(late.at(-1), 'UNAUTHORIZED', 'in touch again')
      assert.equal(late.includes('ADMITTED'), false, late.slice(0, 5).join())
      assert.equal(late[0], 'UNAVAILABLE', 'out of touch when it wakes')
    }
  })

  test('a node that the database does not answer refuses every key, until it does', async (t) => {
    const url = await newDatabase()
    const { proxy, proxied } = await proxyOf(t, url)
    const one = await nodeOf(t, { url })
    const cut = await nodeOf(t, { url: proxied })
    const { operator, apiKey } = await newOperator(one.registry)
    const { key: revoked, apiKey: revokedKey } = made(
      await one.registry.keys.create(operator.id, usualKey),
    )
    proxy.refuse(true)
    const revoking = one.registry.keys.revoke(operator.id, revoked.id)
    made(await revoking)
    assert.equal(cut.verdictOn(revokedKey), 'UNAVAILABLE')
    assert.equal(cut.verdictOn(apiKey), 'UNAVAILABLE')
    proxy.refuse(false)
    await until(
      async () => cut.verdictOn(apiKey),
      (verdict) => verdict === 'ADMITTED',
    )
    assert.equal(cut.verdictOn(apiKey), 'ADMITTED')
    assert.equal(cut.verdictOn(revokedKey), 'UNAUTHORIZED')
  })

  test('a write whose answer is lost is stored once and answered', async (t) => {
    const url = await newDatabase()
    const { proxy, proxied } = await proxyOf(t, url)
    const { registry } = await nodeOf(t, { url: proxied })
    proxy.loseAnswerTo('COMMIT')
    const category = made(await registry.categories.create(null, sports))
    assert.equal(proxy.lost, 1)
    const stored = await query<{ id: string }>(url, 'SELECT id FROM categories')
    assert.deepEqual(stored, [{ id: category.id }])
    assert.equal(registry.version, 1)
  })

  // Whether it was stored is not known at first: the version that it would have made exists.
  test('a lost write is decided again if another node has made its version', async (t) => {
    const url = await newDatabase()
    const { proxy, proxied } = await proxyOf(t, url)
    const { registry } = await nodeOf(t, { url: proxied })
    const other = await nodeOf(t, { url, hasBarrier: false })
    proxy.loseAnswerTo('FROM registry FOR UPDATE', { thenRefuses: true })
    const writing = registry.categories.create(null, sports)
    await until(
      async () => proxy.lost,
      (lost) => lost === 1,
    )
    made(await other.registry.categories.create(null, { ...sports, slug: 'other' }))
    proxy.refuse(false)
    made(await writing)
    const stored = await query<{ slug: string }>(url, 'SELECT slug FROM categories ORDER BY slug')
    assert.deepEqual(stored, [{ slug: 'other' }, { slug: 'sports' }])
  })

  test('a write is COMMIT_UNKNOWN if the other nodes cannot be checked', async (t) => {
    const url = await newDatabase()
    const { proxy, proxied } = await proxyOf(t, url)
    const { registry } = await nodeOf(t, { url: proxied })
    proxy.loseAnswerTo('min(registry_seen)', { thenRefuses: true })
    await assert.rejects(registry.categories.create(null, sports), (error) => {
      assert.equal(refusalOfFault(error).code, 'COMMIT_UNKNOWN', String(error))
      return true
    })
    assert.equal((await query(url, 'SELECT 1 FROM categories')).length, 1)
    proxy.refuse(false)
  })

  test('a node whose changes were deleted reads all records', async (t) => {
    const url = await newDatabase()
    const one = await nodeOf(t, { url })
    const other = await nodeOf(t, { url })
    await newOperator(one.registry)
    await query(url, `UPDATE registry_changes SET changed_at = changed_at - interval '2 days'`)
    await one.nodes.prune()
    const [{ count } = { count: -1 }] = await query<{ count: number }>(
      url,
      'SELECT count(*)::int AS count FROM registry_changes',
    )
    assert.equal(count, 0)
    assert.equal(await one.stored.changesSince(0), null)
    assert.notEqual(await one.stored.changesSince(1), null)
    await newOperator(other.registry)
    assert.equal(one.registry.operators.list().length, 2)
  })

  test('a store opened by a node writes without owning a shard, and knows the node', async (t) => {
    const { url } = await server.newDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'outcry-cluster-'))
    const store = await openPostgresStore({ url, folder, isNode: true, onLost })
    const about = { version: 'test', protocol: 1, engineVersion: 1, shardsMax: 0 }
    const nodes = store.cluster!.openNodes({
      ...about,
      address: 'here:50056',
      settingsHash: 'same',
    })
    t.after(async () => {
      await nodes.close()
      await store.close()
      rmSync(folder, { recursive: true })
    })
    await nodes.join({ registrySeen: 0, load: { shards: 0 }, state: 'ACTIVE' })
    const category = { ...sports, id: 'category-1', operatorId: null, isActive: true, createdAt: 1 }
    assert.equal(await store.registry.categories.put(category, 0), 1)
    await assert.rejects(store.registry.categories.put(category, 0), { name: 'RegistryBehind' })
    const [self] = await nodes.list()
    assert.equal(self?.address, 'here:50056')
    assert.deepEqual(self?.load, { shards: 0 })
    const beat = await nodes.beat({ registrySeen: 1, load: {}, state: 'LEAVING' })
    assert.ok(beat.kind === 'ALIVE' && beat.registryVersion === 1)
    await nodes.leave()
    assert.deepEqual(await nodes.list(), [])
  })

  test('a service that is alone does not start beside a node that owns no shard', async (t) => {
    const { url } = await server.newDatabase()
    const [own, other] = ['outcry-node-', 'outcry-alone-'].map((name) =>
      mkdtempSync(join(tmpdir(), name)),
    )
    const store = await openPostgresStore({ url, folder: own!, isNode: true, onLost })
    const about = { version: 'test', protocol: 1, engineVersion: 1, settingsHash: 'same' }
    const nodes = store.cluster!.openNodes({ ...about, address: 'here:50056', shardsMax: 0 })
    const beat = { registrySeen: 0, load: {}, state: 'ACTIVE' } as const
    await nodes.join(beat)
    const beats = setInterval(() => void nodes.beat(beat), 50)
    t.after(async () => {
      clearInterval(beats)
      await nodes.close()
      await store.close()
      for (const folder of [own!, other!]) rmSync(folder, { recursive: true })
    })
    const starting = openPostgresStore({ url, folder: other!, onLost })
    await assert.rejects(starting, /the node at here:50056/)
  })

  test('a node with other settings cannot join', async (t) => {
    const url = await newDatabase()
    const one = await nodeOf(t, { url, settingsHash: 'a' })
    await assert.rejects(startRegistryNode({ url, settingsHash: 'b' }), {
      name: 'SetupProblem',
      message: new RegExp(`The node at ${one.node}.example:50056 has other settings`),
    })
  })

  test('a second process of a node replaces the first, which then refuses every key', async (t) => {
    const url = await newDatabase()
    const node = randomUUID()
    const first = await nodeOf(t, { url, node })
    const { apiKey } = await newOperator(first.registry)
    const second = await nodeOf(t, { url, node })
    first.membership.beatSoon()
    await first.replaced.promise
    assert.equal(first.verdictOn(apiKey), 'UNAVAILABLE')
    assert.equal(second.verdictOn(apiKey), 'ADMITTED')
    const nodes = await second.nodes.list()
    assert.deepEqual(
      nodes.map(({ isAlive, state, registrySeen }) => ({ isAlive, state, registrySeen })),
      [{ isAlive: true, state: 'ACTIVE', registrySeen: 1 }],
    )
    await first.nodes.leave()
    assert.equal((await second.nodes.list()).length, 1, 'the first has removed the second')
  })
}

async function ask(child: ChildProcess, apiKey: string): Promise<Verdict> {
  const answer = Promise.withResolvers<Verdict>()
  const receive = (message: unknown) => {
    const verdict = message as Verdict
    if (verdict.isAnswer) answer.resolve(verdict)
  }
  child.on('message', receive)
  child.send(apiKey)
  const verdict = await answer.promise
  child.off('message', receive)
  return verdict
}

/** What the node thinks of the key from now on. */
function watch(child: ChildProcess): Verdict[] {
  const verdicts: Verdict[] = []
  child.on('message', (message) => verdicts.push(message as Verdict))
  return verdicts
}
