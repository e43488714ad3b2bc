// What a node believes of a peer that has not proved that it has the secrets key, and of an answer
// that it cannot read.

import { deepEqual, equal, match } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { connectTo, FrameSocket } from '../../src/cluster/link/frame-socket.ts'
import { linkKey, proofOf } from '../../src/cluster/link/handshake.ts'
import { LinkServer } from '../../src/cluster/link/link-server.ts'
import type { Challenge, Hello, Reply, Request } from '../../src/cluster/link/messages.ts'
import type { OwnerOutcome } from '../../src/cluster/link/outcome-codec.ts'
import { createLog } from '../../src/ops/log.ts'
import { identityOf } from '../support/cluster/link-settings.ts'
import { portOf } from '../support/process/tcp-proxy.ts'
import { openCaller, openConnectedCaller, orderOf, until } from './link-fixture.ts'

const key = linkKey(Buffer.from('secret'))
const anyOrder = orderOf('operator', 1)

type Answering = {
  readonly welcome: (challenge: Challenge, hello: Hello) => string
  /** To a command with that number. */
  readonly result?: (number: number) => Reply
}

/** A process that answers as an owner would, with a proof of the test's choice. */
async function startImpostor(context: TestContext, { welcome, result }: Answering) {
  const received: string[] = []
  const challenge = { ...identityOf({ nodeId: 'owner' }), nonce: 'nonce' }
  const server = createServer((socket) => {
    const frames = new FrameSocket(socket, {
      onFrame: (frame) => {
        for (const message of JSON.parse(frame.toString()) as Request[]) answer(message)
      },
      onClose: () => {},
    })
    context.after(() => frames.destroy())
    const send = (reply: Reply) => frames.write(Buffer.from(JSON.stringify([reply])), () => {})
    const answer = (message: Request) => {
      received.push(message[0])
      if (message[0] === 'hello') send(['welcome', { mac: welcome(challenge, message[1]) }])
      if (message[0] === 'commands' && result !== undefined) send(result(message[1]))
    }
    send(['challenge', challenge])
  })
  context.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { address: `127.0.0.1:${portOf(server)}`, received }
}

/** Answers have fields. */
function answeredWith(answer: null): OwnerOutcome<never> {
  return { kind: 'ANSWERED', result: { isAccepted: true, answer: answer as never } }
}

function withoutMac({ mac: _, ...hello }: Hello): Omit<Hello, 'mac'> {
  return hello
}

suite('a peer without the secrets key', () => {
  for (const [how, welcome] of [
    ['any text', () => 'proof'],
    ["the caller's own proof", (_, hello) => hello.mac],
    [
      'a proof with another key',
      (challenge, hello) =>
        proofOf(linkKey(Buffer.from('other')), {
          role: 'called',
          challenge,
          hello: withoutMac(hello),
        }),
    ],
  ] as const satisfies readonly (readonly [string, Answering['welcome']])[]) {
    test(`is sent nothing if it answers with ${how}`, async (context) => {
      const { address, received } = await startImpostor(context, { welcome })
      const { lines, link, links, received: heard } = openCaller({ address })
      context.after(() => links.close())
      await until(() => lines.length > 0, 'the caller gives up')
      match(lines[0]!, /a different secrets key/)
      equal(link.isConnected, false)
      deepEqual(heard, [])
      deepEqual([...new Set(received)], ['hello'])
    })
  }

  test('cannot use a hello that it has overheard', async (context) => {
    const server = new LinkServer({
      identity: identityOf({ nodeId: 'owner' }),
      secretsKey: Buffer.from('secret'),
      tls: null,
      handlers: { submitAll: () => [], ownedShards: () => [] },
      log: createLog({ level: 'silent' }),
    })
    const port = await server.listen('127.0.0.1:0')
    context.after(() => server.stop())
    /** Says hello on a new socket, and returns the first answer. */
    const greet = async (helloTo: (challenge: Challenge) => Hello) => {
      const answer = Promise.withResolvers<Reply>()
      const socket = new FrameSocket(connectTo(`127.0.0.1:${port}`, null), {
        onFrame: (frame) => {
          const [reply] = JSON.parse(frame.toString()) as [Reply]
          if (reply[0] !== 'challenge') answer.resolve(reply)
          else socket.write(Buffer.from(JSON.stringify([['hello', helloTo(reply[1])]])), () => {})
        },
        onClose: () => {},
      })
      context.after(() => socket.destroy())
      return answer.promise
    }
    const hello = { ...identityOf({ nodeId: 'caller' }), nonce: 'nonce' }
    let mac = ''
    const [first] = await greet((challenge) => {
      mac = proofOf(key, { role: 'caller', challenge, hello })
      return { ...hello, mac }
    })
    equal(first, 'welcome')
    const refused = await greet(() => ({ ...hello, mac }))
    deepEqual(refused, ['closed', 'the other node has a different secrets key'])
  })
})

suite('an answer that cannot be read', () => {
  test('has an unknown outcome at the caller', async (context) => {
    const { address } = await startImpostor(context, {
      welcome: (challenge, hello) =>
        proofOf(key, { role: 'called', challenge, hello: withoutMac(hello) }),
      result: (number) => ['result', number, 0, 1, null],
    })
    const { link, links } = await openConnectedCaller({ address })
    context.after(() => links.close())
    const [outcome] = link.sendAll(0, 'place', [anyOrder], null)
    equal((await outcome)?.kind, 'UNKNOWN')
  })

  test('has an unknown outcome if the owner cannot write it', async (context) => {
    const server = new LinkServer({
      identity: identityOf({ nodeId: 'owner' }),
      secretsKey: Buffer.from('secret'),
      tls: null,
      handlers: {
        submitAll: (_shard, _kind, commands) => commands.map(async () => answeredWith(null)),
        ownedShards: () => [],
      },
      log: createLog({ level: 'silent' }),
    })
    const port = await server.listen('127.0.0.1:0')
    context.after(() => server.stop())
    const { link, links } = await openConnectedCaller({ address: `127.0.0.1:${port}` })
    context.after(() => links.close())
    const [outcome] = link.sendAll(0, 'place', [anyOrder], null)
    equal((await outcome)?.kind, 'UNKNOWN')
  })
})
