// What do the subscribers of another node cost the owner of a shard? It sends each update once per
// node, however many of its clients listen. Updates come at a fixed rate, with one subscriber and
// with a thousand in alternating rounds.

import { setTimeout as pause } from 'node:timers/promises'
import type { ExchangeClient } from '../http/exchange-client.ts'
import type { LoadTarget } from '../http/load-target.ts'
import { place, Subscribers } from '../stream/fan-out.ts'
import type { CpuTime } from '../support/cpu-time.ts'
import { median } from '../support/percentiles.ts'
import { perUnit, timeOf } from './load-round.ts'
import type { ClusterOptions, Log, Measurement } from './measurement.ts'
import { clientOf, Servers } from './nodes.ts'

const few = 1
const many = 1_000
/** Slow enough for a thousand subscribers in one process. */
const everyMs = 50
const updatesMin = 20

type Round = { readonly owner: CpuTime; readonly front: CpuTime }

export async function measureSubscribers(options: ClusterOptions, log: Log): Promise<Measurement> {
  const servers = new Servers()
  try {
    const { owner, front } = await servers.startPair()
    const client = await clientOf(owner)
    const updates = Math.max(updatesMin, Math.round(options.measureMs / everyMs))
    const round = async (count: number): Promise<Round> => {
      log(`Cluster, ${count} subscribers ...`)
      const listening = await listen(client, front.port, count)
      try {
        const before = [timeOf(owner.pid), timeOf(front.pid)] as const
        for (let update = 0; update < updates; update += 1) await listening.update()
        return {
          owner: perUnit(before[0], timeOf(owner.pid), updates),
          front: perUnit(before[1], timeOf(front.pid), updates),
        }
      } finally {
        listening.close()
      }
    }
    const rounds: { readonly few: Round; readonly many: Round }[] = []
    for (let count = 0; count <= options.rounds; count += 1) {
      rounds.push({ few: await round(few), many: await round(many) })
    }
    // The first round warms both nodes up.
    return measurementOf(rounds.slice(1), updates)
  } finally {
    await servers.stop()
  }
}

/** Subscribers of a new market at the port. */
async function listen(client: ExchangeClient, port: number, count: number) {
  const target: LoadTarget = await client.openMarket()
  const { marketId, outcomeIds } = target
  const subscribers = new Subscribers()
  const subscribe = { op: 'subscribe', channels: ['orderbook'], marketIds: [marketId] }
  const subscription = { ...subscribe, outcomeIds: outcomeIds.slice(0, 1) }
  await subscribers.open(count, `ws://127.0.0.1:${port}/ws`, subscription)
  // The order goes to the owner, so that the other node has nothing to do but to publish.
  const update = async () => {
    const received = subscribers.next()
    await Promise.all([place(target), pause(everyMs)])
    await received
  }
  return { update, close: () => subscribers.close() }
}

type Rounds = readonly { readonly few: Round; readonly many: Round }[]

function measurementOf(rounds: Rounds, updates: number): Measurement {
  const ratios = rounds.map(
    (round) => round.many.owner.processMicros / round.few.owner.processMicros,
  )
  return {
    name: 'subscribers',
    title: 'Subscribers at a node that does not own the shard',
    about: [
      `Rounds of ${updates} book updates, one every ${everyMs} ms, by orders at the owner; the`,
      'subscribers are connected to another node. CPU time is in us per update.',
    ],
    columns: ['subscribers', 'owner, main thread', 'owner, process', 'other node, process'],
    rows: [
      rowOf(
        `${few}`,
        rounds.map((round) => round.few),
      ),
      rowOf(
        `${many}`,
        rounds.map((round) => round.many),
      ),
    ],
    ratios: [
      {
        what: `CPU time of the owner per update, ${many} subscribers against ${few}`,
        value: median(ratios),
        goal: { atMost: 1.2 },
      },
    ],
  }
}

function rowOf(name: string, rounds: readonly Round[]): string[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of)).toFixed(0)
  return [
    name,
    middle(({ owner }) => owner.mainThreadMicros),
    middle(({ owner }) => owner.processMicros),
    middle(({ front }) => front.processMicros),
  ]
}
