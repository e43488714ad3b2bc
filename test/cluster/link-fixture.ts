// A caller in this process for the link tests, with what it has received.

import type { LinkTls } from '../../src/cluster/link/frame-socket.ts'
import type { LinkClient } from '../../src/cluster/link/link-client.ts'
import { Links } from '../../src/cluster/link/links.ts'
import type { Identity, OwnedShard } from '../../src/cluster/link/messages.ts'
import type { Serial } from '../../src/core/ids.ts'
import type { Price, Shares } from '../../src/core/money.ts'
import type { PlaceOrder } from '../../src/engine/commands.ts'
import { createLog } from '../../src/ops/log.ts'
import { identityOf } from '../support/cluster/link-settings.ts'

export type Caller = {
  readonly links: Links
  readonly link: LinkClient
  readonly received: readonly (readonly [what: string, value?: unknown])[]
  readonly routes: readonly (readonly OwnedShard[])[]
  /** Lines of the log. */
  readonly lines: readonly string[]
}

export type CallerOptions = {
  readonly address: string
  readonly nodeId?: string
  readonly secret?: string
  readonly tls?: LinkTls
  readonly identity?: Partial<Identity>
}

export function openCaller({ address, nodeId = 'owner', ...given }: CallerOptions): Caller {
  const received: [string, unknown?][] = []
  const routes: (readonly OwnedShard[])[] = []
  const lines: string[] = []
  const links = new Links({
    identity: identityOf({ nodeId: 'caller', ...given.identity }),
    secretsKey: Buffer.from(given.secret ?? 'secret'),
    tls: given.tls ?? null,
    log: createLog({ level: 'info', write: (line) => lines.push(line) }),
    events: {
      onRoutes: (_, shards) => routes.push(shards),
      onConnected: () => received.push(['connected']),
      onDisconnected: () => received.push(['disconnected']),
      onTurn: (_, turn) => received.push(['turn', turn]),
      onResync: () => received.push(['resync']),
      onTokens: (_, granted) => received.push(['tokens', granted]),
    },
  })
  links.setNodes([{ nodeId, address }])
  return { links, link: links.get(nodeId)!, received, routes, lines }
}

const untilMs = 10_000

/** Returns how long it took. */
export async function until(isTrue: () => boolean, what: string): Promise<number> {
  const startedAt = performance.now()
  while (!isTrue()) {
    if (performance.now() - startedAt > untilMs) throw new Error(`not within 10 s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return performance.now() - startedAt
}

export async function openConnectedCaller(options: CallerOptions): Promise<Caller> {
  const caller = openCaller(options)
  await until(() => caller.link.isConnected, 'the link is connected')
  return caller
}

export function orderOf(operatorId: string, number: number): PlaceOrder {
  return {
    operatorId,
    marketSerial: 12 as Serial,
    outcomeSerial: 13 as Serial,
    playerId: `player-${number}`,
    side: 'BUY',
    type: 'LIMIT',
    shares: 1_000 as Shares,
    price: 4_200 as Price,
    expiresAt: null,
    options: 0,
    transactionId: `order-${number}`,
  }
}
