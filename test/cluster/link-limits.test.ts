// What the owner's side of a link grants to others: how many sockets, for how long, and how far
// behind.

import { equal, match, ok, rejects } from 'node:assert/strict'
import { connect as connectSocket } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import {
  connectTo,
  FrameSocket,
  firstFrameBytesMax,
  type LinkTls,
  socketAddress,
} from '../../src/cluster/link/frame-socket.ts'
import {
  LinkServer,
  unauthenticatedMax,
  unauthenticatedOfAddressMax,
} from '../../src/cluster/link/link-server.ts'
import type { LinkHandlers } from '../../src/cluster/link/server-link.ts'
import { createLog } from '../../src/ops/log.ts'
import { LinkProcess } from '../support/cluster/link-process.ts'
import { identityOf } from '../support/cluster/link-settings.ts'
import { receiverCertificate, receiverKey } from '../support/webhooks/receiver-certificate.ts'
import { openCaller, openConnectedCaller, until } from './link-fixture.ts'

async function startServer(
  context: TestContext,
  given: Partial<LinkHandlers> = {},
  tls: LinkTls | null = null,
) {
  const lines: string[] = []
  const server = new LinkServer({
    identity: identityOf({ nodeId: 'owner' }),
    secretsKey: Buffer.from('secret'),
    tls,
    handlers: { submitAll: () => [], ownedShards: () => [], ...given },
    log: createLog({ level: 'info', write: (line) => lines.push(line) }),
  })
  const port = await server.listen('0.0.0.0:0')
  context.after(() => server.stop())
  return { server, lines, address: `127.0.0.1:${port}` }
}

/** A socket of a process that is no node. */
class Stranger {
  readonly #socket: FrameSocket
  /** Why the other side has closed it. */
  readonly end: Promise<string>
  readonly first: Promise<void>

  constructor(context: TestContext, address: string, socket = connectTo(address, null)) {
    const first = Promise.withResolvers<void>()
    const end = Promise.withResolvers<string>()
    this.first = first.promise
    this.end = end.promise
    this.#socket = new FrameSocket(socket, {
      onFrame: (frame) => {
        first.resolve()
        const [last] = JSON.parse(frame.toString()).slice(-1)
        if (last[0] === 'closed') end.resolve(last[1])
      },
      onClose: (reason) => end.resolve(reason),
    })
    context.after(() => this.#socket.destroy())
  }

  write(text: string): void {
    this.#socket.write(Buffer.from(text), () => {})
  }

  close(): void {
    this.#socket.destroy()
  }
}

function strangerFrom(context: TestContext, address: string, localAddress: string): Stranger {
  return new Stranger(context, address, connectSocket({ ...socketAddress(address), localAddress }))
}

suite('the limits of the owner of a link', () => {
  test('a socket without a hello is closed after 2 s', async (context) => {
    const { address } = await startServer(context)
    const startedAt = performance.now()
    match(await new Stranger(context, address).end, /no hello within 2000 ms/)
    const tookMs = performance.now() - startedAt
    ok(tookMs > 1_900 && tookMs < 3_000, `closed after ${tookMs} ms`)
  })

  test('sockets without a hello are limited, and make room when they end', async (context) => {
    const { address, lines } = await startServer(context)
    const strangers = Array.from({ length: unauthenticatedMax }, (_, at) =>
      strangerFrom(context, address, `127.0.0.${2 + (at % 2)}`),
    )
    await Promise.all(strangers.map(({ first }) => first))
    match(await new Stranger(context, address).end, /too many links without a hello/)
    match(await new Stranger(context, address).end, /too many links without a hello/)
    equal(lines.filter((line) => line.includes('too many')).length, 1)
    strangers[0]!.close()
    await until(() => lines.some((line) => line.includes('was closed')), 'one socket is closed')
    const { links } = await openConnectedCaller({ address })
    links.close()
  })

  test('strangers of one address keep out no caller of another', async (context) => {
    const { address } = await startServer(context)
    const open = () => strangerFrom(context, address, '127.0.0.2')
    const strangers = Array.from({ length: unauthenticatedOfAddressMax }, open)
    await Promise.all(strangers.map(({ first }) => first))
    match(await open().end, /too many links without a hello/)
    const { links } = await openConnectedCaller({ address })
    links.close()
  })

  test('a command before the hello closes the socket and is not executed', async (context) => {
    let submitted = 0
    const { address } = await startServer(context, {
      submitAll: () => {
        submitted += 1
        return []
      },
    })
    const stranger = new Stranger(context, address)
    const frame = [['commands', 1, 0, 'cancel', null, [['operator', 1]]]]
    stranger.write(JSON.stringify(frame))
    match(await stranger.end, /the first message must be a hello/)
    equal(submitted, 0)
  })

  test('bytes that are no frame close the socket and nothing else', async (context) => {
    const { address } = await startServer(context)
    const { links, link } = await openConnectedCaller({ address })
    const stranger = new Stranger(context, address)
    stranger.write('{')
    match(await stranger.end, /a frame cannot be read/)
    equal(link.isConnected, true)
    links.close()
  })

  test('a frame that is longer than any of a node closes the socket', async (context) => {
    const { address, lines } = await startServer(context)
    const socket = connectTo(address, null)
    context.after(() => socket.destroy())
    socket.on('error', () => {}).write(Buffer.from([0x7f, 0xff, 0xff, 0xff, 0x5b]))
    await until(() => socket.resume().closed, 'the socket is closed')
    match(lines.at(-1)!, /a frame of 2147483647 bytes is too long/)
  })

  test('a long frame before the hello closes the socket at its first bytes', async (context) => {
    const { address, lines } = await startServer(context)
    for (const length of [firstFrameBytesMax + 1, 8 * 1024 * 1024]) {
      const socket = connectTo(address, null)
      context.after(() => socket.destroy())
      const head = Buffer.alloc(4)
      head.writeUInt32BE(length)
      socket.on('error', () => {}).write(Buffer.concat([head, Buffer.from('[')]))
      await until(() => socket.resume().closed, 'the socket is closed')
      match(lines.at(-1)!, new RegExp(`a frame of ${length} bytes is too long`))
    }
  })

  test('a caller receives the shards of an owner that has very many', async (context) => {
    const shards = Array.from({ length: 4_096 }, (_, shard) => [shard, 1_000, 2_999.5] as const)
    const { address } = await startServer(context, { ownedShards: () => shards })
    const { links, routes } = await openConnectedCaller({ address })
    await until(() => routes.length > 0, 'the shards have arrived')
    equal(routes[0]!.length, shards.length)
    links.close()
  })

  test('frames that arrive in pieces are read as they were written', async (context) => {
    const { address } = await startServer(context)
    const socket = connectTo(address, null).setNoDelay(true)
    context.after(() => socket.destroy())
    const received: string[] = []
    socket.on('data', (data: Buffer) => received.push(data.toString()))
    const text = Buffer.from('["é"]')
    const bytes = Buffer.concat([Buffer.from([0, 0, 0, text.length]), text])
    for (const byte of bytes) {
      socket.write(Buffer.from([byte]))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await until(() => received.join('').includes('must be a hello'), 'the frame was read')
  })

  test('a second link of a node replaces the first', async (context) => {
    const closed: string[] = []
    const { address, server } = await startServer(context, {
      onLinkClosed: ({ nodeId }) => closed.push(nodeId),
    })
    const first = await openConnectedCaller({ address })
    const second = await openConnectedCaller({ address })
    await until(() => first.received.length === 2, 'the first caller has lost its link')
    match(first.lines.at(-1)!, /the node has opened another link/)
    equal(closed.length, 1)
    equal([...server.links].length, 1)
    first.links.close()
    second.links.close()
    await until(() => [...server.links].length === 0, 'the second link is closed')
  })

  test('a caller 8 MiB behind has to resync, then receives turns again', async (context) => {
    const { address, server } = await startServer(context)
    const caller = new LinkProcess('link-caller.ts', { address, nodeId: 'caller' })
    context.after(() => caller.kill())
    await until(() => server.linkOf('caller') !== undefined, 'the caller has a link')
    const link = server.linkOf('caller')!
    link.sendTurn({ shard: 0, records: [], trades: [] })
    await caller.until(/^turn 1$/m)
    caller.freeze()
    const records = 'r'.repeat(100_000)
    for (let count = 0; count < 200; count++) link.sendTurn({ shard: 0, records, trades: [] })
    await new Promise((resolve) => setTimeout(resolve, 300))
    caller.thaw()
    const [, received] = await caller.until(/^resync after (\d+) turns$/m)
    ok(Number(received) < 100, `${received} of 201 turns have arrived`)
    link.sendTurn({ shard: 0, records: [], trades: [] })
    await caller.until(new RegExp(`^turn ${Number(received) + 1}$`, 'm'))
    link.sendTokens('granted')
    await caller.until(/^tokens granted/m)
  })

  test('with TLS, a caller needs a certificate of the same authority', async (context) => {
    const cert = Buffer.from(receiverCertificate)
    const tls = { cert, key: Buffer.from(receiverKey), ca: cert }
    const { address } = await startServer(context, {}, tls)
    const plaintext = openCaller({ address })
    context.after(() => plaintext.links.close())
    for (const host of ['127.0.0.1', 'localhost']) {
      const named = address.replace('127.0.0.1', host)
      const { links } = await openConnectedCaller({ address: named, tls })
      links.close()
    }
    const misnamed = openCaller({ address: address.replace('127.0.0.1', '127.0.0.2'), tls })
    context.after(() => misnamed.links.close())
    await until(() => misnamed.lines.length > 0, 'the address is not in the certificate')
    match(misnamed.lines[0]!, /127\.0\.0\.2 is not in the cert/)
    await until(() => plaintext.lines.length > 0, 'the caller without TLS gives up')
    equal(plaintext.link.isConnected, false)
    const withoutCertificate = connect({ ...socketAddress(address), ca: cert })
    const stranger = new Stranger(context, address, withoutCertificate)
    match(await stranger.end, /certificate required|ECONNRESET|disconnected|closed|dropped/i)
  })

  test('an address in use is an error of listen', async (context) => {
    const { address } = await startServer(context)
    const other = new LinkServer({
      identity: identityOf({ nodeId: 'other' }),
      secretsKey: Buffer.from('secret'),
      tls: null,
      handlers: { submitAll: () => [], ownedShards: () => [] },
      log: createLog({ level: 'silent' }),
    })
    await rejects(other.listen(address), /^LinksCannotListen: Port \d+ is in use/)
    await other.stop()
  })
})
