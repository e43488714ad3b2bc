// The link between real processes: what arrives, in which order, and what is known when a node is
// frozen, killed or a stranger.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { LinkServer } from '../../src/cluster/link/link-server.ts'
import { createLog } from '../../src/ops/log.ts'
import { LinkProcess } from '../support/cluster/link-process.ts'
import { identityOf, type OwnerSettings, shards } from '../support/cluster/link-settings.ts'
import {
  type CallerOptions,
  openCaller,
  openConnectedCaller,
  orderOf,
  until,
} from './link-fixture.ts'

async function startOwner(context: TestContext, settings: Partial<OwnerSettings> = {}) {
  const started = await LinkProcess.owner(settings)
  context.after(() => started.owner.kill())
  return started
}

async function connect(context: TestContext, options: CallerOptions) {
  const caller = await openConnectedCaller(options)
  context.after(() => caller.links.close())
  return caller
}

function failingCaller(context: TestContext, options: CallerOptions) {
  const caller = openCaller(options)
  context.after(() => caller.links.close())
  return caller
}

const anyOrder = orderOf('operator', 1)

suite('a link to another process', () => {
  test('a command is answered, and every way to end arrives', async (context) => {
    const { address } = await startOwner(context)
    const { link } = await connect(context, { address })
    const send = async (shard: number) => link.sendAll(shard, 'place', [anyOrder], 5_000)[0]!
    const answered = await send(shards.answering)
    ok(answered.kind === 'ANSWERED' && answered.result.isAccepted)
    equal(answered.result.answer.order.transactionId, 'order-1')
    equal(answered.result.cost, 1)
    deepEqual(await send(shards.unavailable), {
      kind: 'UNAVAILABLE',
      message: 'the queue is full',
    })
    deepEqual(await send(shards.unknown), { kind: 'UNKNOWN', message: 'the commit is unknown' })
    deepEqual(await send(shards.moved), { kind: 'NOT_OWNER', owner: { nodeId: 'c', epoch: 7 } })
    deepEqual(await send(shards.broken), { kind: 'FAILED', message: 'a bug' })
  })

  test('a command whose time has passed is not executed', async (context) => {
    const { address } = await startOwner(context)
    const { link } = await connect(context, { address })
    const [late] = link.sendAll(shards.answering, 'place', [anyOrder], 0)
    deepEqual(await late, { kind: 'UNAVAILABLE', message: 'the time for the command has passed' })
    const [first] = link.sendAll(shards.answering, 'cancelMany', [cancelOf([])], null)
    deepEqual(await first, answeredWith({ cancelled: 1 }))
  })

  test('a link over a Unix socket works', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'outcry-link-'))
    context.after(() => rmSync(folder, { recursive: true }))
    const { address } = await startOwner(context, { address: `unix:${folder}/link` })
    const { link } = await connect(context, { address })
    const [outcome] = link.sendAll(shards.answering, 'place', [anyOrder], null)
    equal((await outcome)?.kind, 'ANSWERED')
  })

  test('20,000 commands are executed in the order in which they were sent', async (context) => {
    const { address } = await startOwner(context)
    const { link } = await connect(context, { address })
    const ended: number[] = []
    for (let sent = 0; sent < 20_000; ) {
      const round: Promise<unknown>[] = []
      for (let count = 0; count < 1_000; count++) {
        const command = cancelOf([])
        round.push(
          ...link.sendAll(shards.answering, 'cancelMany', [command], null).map(async (outcome) => {
            const known = await outcome
            ok(known.kind === 'ANSWERED' && known.result.isAccepted)
            ended.push(known.result.answer.cancelled)
          }),
        )
      }
      sent += round.length
      await Promise.all(round)
    }
    deepEqual(
      ended,
      Array.from({ length: 20_000 }, (_, place) => place + 1),
    )
  })

  test('interests, turns and tokens are carried in order', async (context) => {
    const { address } = await startOwner(context)
    const { link, received } = await connect(context, { address })
    const interests = ['a', 'b', 'c'].map((id) => ({ shard: 0, kind: 'market' as const, id }))
    for (const interest of interests) link.sendInterest(interest)
    await until(() => received.length === 4, 'three turns have arrived')
    const turns = interests.map((interest) => ({ shard: 0, records: [interest], trades: [] }))
    deepEqual(received, [['connected'], ...turns.map((turn) => ['turn', turn])])
  })

  test('the owner sends the shards that it owns at once, and when they change', async (context) => {
    const { address } = await startOwner(context)
    const { link, routes } = await connect(context, { address })
    await until(() => routes.length > 0, 'the first routes')
    deepEqual(routes[0], [[shards.answering, 1, 3_000]])
    link.sendTokens('claim')
    const tookMs = await until(() => routes.at(-1)?.[0]?.[1] === 2, 'the new epoch')
    ok(tookMs < 400, `a beat would bring it within 500 ms; it took ${tookMs} ms`)
  })
})

suite('a link that must not open', () => {
  test('a caller with another secrets key is refused, which both log once', async (context) => {
    const { owner, address } = await startOwner(context)
    const { link, lines } = failingCaller(context, { address, secret: 'another' })
    await owner.until(/link refused/)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    equal(link.isConnected, false)
    equal(lines.length, 1)
    match(lines[0]!, /the other node has a different secrets key.*link not opened/)
    equal(owner.printed.match(/link refused/g)?.length, 1)
    deepEqual(await link.sendAll(0, 'place', [anyOrder], null)[0], { kind: 'UNSENT' })
  })

  test('a protocol two versions away is refused, one version away is accepted', async (context) => {
    const { owner, address } = await startOwner(context, { identity: { protocol: 3 } })
    const { lines } = failingCaller(context, { address, identity: { protocol: 1 } })
    await owner.until(/link refused/)
    await until(() => lines.length > 0, 'the caller logs the reason')
    match(lines[0]!, /the link protocols 3 and 1 differ by more than 1/)
    await connect(context, { address, identity: { protocol: 2, nodeId: 'other' } })
  })

  test('nodes with different settings do not work together', async (context) => {
    const { address } = await startOwner(context)
    const { lines } = failingCaller(context, { address, identity: { settingsHash: 'other' } })
    await until(() => lines.length > 0, 'the caller logs the reason')
    match(lines[0]!, /the settings that all nodes must share differ/)
  })

  test('another node at the address of the owner is not called', async (context) => {
    const { address } = await startOwner(context)
    const { link, lines } = failingCaller(context, { address, nodeId: 'b' })
    await until(() => lines.length > 0, 'the caller logs the reason')
    match(lines[0]!, /node owner answers at the address of node b/)
    equal(link.isConnected, false)
  })
})

suite('a link that breaks', () => {
  test('commands sent to a killed owner are LOST, later ones are UNSENT', async (context) => {
    const { owner, address } = await startOwner(context)
    const { link, links } = await connect(context, { address })
    const sent = link.sendAll(shards.silent, 'place', [anyOrder, anyOrder], null)
    await link.sendAll(shards.answering, 'place', [anyOrder], null)[0]
    await owner.kill()
    deepEqual(await Promise.all(sent), [{ kind: 'LOST' }, { kind: 'LOST' }])
    equal(link.isConnected, false)
    deepEqual(await link.sendAll(0, 'place', [anyOrder], null)[0], { kind: 'UNSENT' })
    links.close()
  })

  test('commands of the same turn of the loop as the close are UNSENT', async (context) => {
    const { address } = await startOwner(context)
    const { link } = await connect(context, { address })
    const [sent] = link.sendAll(shards.silent, 'place', [anyOrder], null)
    await link.sendAll(shards.answering, 'place', [anyOrder], null)[0]
    const [waiting] = link.sendAll(shards.silent, 'place', [anyOrder], null)
    link.close()
    deepEqual(await sent, { kind: 'LOST' })
    deepEqual(await waiting, { kind: 'UNSENT' })
  })

  const startCounting = async (context: TestContext) => {
    const counted = { executed: 0 }
    const owner = new LinkServer({
      identity: identityOf({ nodeId: 'owner' }),
      secretsKey: Buffer.from('secret'),
      tls: null,
      log: createLog({ level: 'error' }),
      handlers: {
        submitAll: (_shard, _kind, commands) => {
          counted.executed += commands.length
          return commands.map(async () => ({ kind: 'NOT_OWNER', owner: null }) as const)
        },
        ownedShards: () => [],
      },
    })
    context.after(() => owner.stop())
    const address = `127.0.0.1:${await owner.listen('127.0.0.1:0')}`
    return { owner, counted, address, ...(await connect(context, { address })) }
  }

  test('a node that has moved is called at its new address', async (context) => {
    const { links } = await startCounting(context)
    const { address } = await startCounting(context)
    links.setNodes([{ nodeId: 'owner', address }])
    await until(() => links.get('owner')?.isConnected === true, 'the link is connected')
    equal(links.get('owner')!.address, address)
  })

  test('what a node that stops has not answered was not executed', async (context) => {
    for (const hasLeft of [true, false]) {
      const { owner, counted, link } = await startCounting(context)
      // Its link is closed while the command is on its way.
      if (hasLeft) owner.leave()
      const [outcome] = link.sendAll(0, 'place', [anyOrder], null)
      // It has left the caller, and the owner has not read it.
      await new Promise((resolve) => setImmediate(resolve))
      await owner.stop()
      deepEqual(await outcome, { kind: hasLeft ? 'UNSENT' : 'LOST' })
      equal(counted.executed, 0)
    }
  })

  test('a command that reaches a node that leaves is not executed', async (context) => {
    const { owner, counted, link } = await startCounting(context)
    owner.leave()
    const [outcome] = link.sendAll(0, 'place', [anyOrder], null)
    deepEqual(await outcome, { kind: 'NOT_OWNER', owner: null })
    equal(counted.executed, 0)
  })

  test('an owner that freezes is given up within 1.5 s and called again later', async (context) => {
    const { owner, address } = await startOwner(context)
    const { link } = await connect(context, { address })
    owner.freeze()
    const startedAt = performance.now()
    const [outcome] = link.sendAll(shards.answering, 'place', [anyOrder], null)
    deepEqual(await outcome, { kind: 'LOST' })
    const tookMs = performance.now() - startedAt
    ok(tookMs > 900 && tookMs < 2_000, `gave up after ${tookMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 500))
    owner.thaw()
    await until(() => link.isConnected, 'the link is connected again')
    const [again] = link.sendAll(shards.answering, 'cancelMany', [cancelOf([])], null)
    // Where it was frozen determines whether it reads the lost command before it breaks the link.
    equal((await again)?.kind, 'ANSWERED')
  })

  test('an owner that is frozen when it is called is given up within 1 s', async (context) => {
    const { owner, address } = await startOwner(context)
    owner.freeze()
    const { link, lines } = failingCaller(context, { address })
    const tookMs = await until(() => lines.length > 0, 'the caller gives up')
    match(lines[0]!, /did not answer within 1000 ms/)
    ok(tookMs > 900 && tookMs < 1_500, `gave up after ${tookMs} ms`)
    owner.thaw()
    await until(() => link.isConnected, 'the link is connected after all')
  })

  test('attempts to call a peer that accepts and says nothing keep no sockets', async (context) => {
    let accepted = 0
    const open = new Set<Socket>()
    const mute = createServer((socket) => {
      accepted += 1
      open.add(socket.resume().on('error', () => {}))
      socket.on('close', () => open.delete(socket))
    }).listen(0, '127.0.0.1')
    context.after(() => mute.close())
    await once(mute, 'listening')
    const { links } = failingCaller(context, { address: addressOf(mute) })
    await until(() => accepted === 3, 'three attempts')
    equal(open.size, 1)
    links.close()
    await until(() => open.size === 0, 'the last socket is closed')
  })
})

function addressOf(server: Server): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function cancelOf(orderSerials: readonly never[]) {
  return { operatorId: 'operator', orderSerials }
}

function answeredWith(answer: unknown) {
  return { kind: 'ANSWERED', result: { isAccepted: true, answer } }
}
