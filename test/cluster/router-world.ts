// The router of one node in a simulated cluster: shards move, nodes freeze and die, links break,
// and clients send commands of every kind. From one seed everything is the same again.

import type { Route } from '../../src/cluster/peer.ts'
import { Router } from '../../src/cluster/router.ts'
import type { ShardCommands } from '../../src/cluster/router-options.ts'
import { RouteTable } from '../../src/cluster/routes.ts'
import { presentForm } from '../../src/core/events/events.ts'
import {
  type CommandKind,
  type Commands,
  CommitUnknown,
  NotOwner,
  type Result,
  Unavailable,
} from '../../src/engine/commands.ts'
import { Random } from '../support/process/random.ts'
import { SimClock } from './router-clock.ts'
import { SimLink } from './router-link.ts'
import { type Faults, type SimCommand, SimNode, SimRecord } from './router-nodes.ts'

export type Ending =
  | { readonly kind: 'RESULT'; readonly result: Result<unknown> }
  | { readonly kind: 'UNAVAILABLE' | 'COMMIT_UNKNOWN' | 'FAILED' }

export type Sent = {
  readonly shard: number
  readonly command: SimCommand
  readonly operatorId: string
  readonly sentAt: number
  endedAt: number | null
  ending: Ending | null
}

const shardCount = 2
const leaseMs = 3_000
/** Clients send commands for so long. */
const trafficMs = 8_000
const runMsMax = 60_000

const noFaults: Faults = { unavailable: 0, failed: 0, unknown: 0 }
const someFaults: Faults = { unavailable: 3, failed: 1, unknown: 2 }

export class RouterWorld {
  readonly clock = new SimClock()
  readonly record = new SimRecord(this.clock)
  readonly sent: Sent[] = []
  heldMax = 0
  readonly #isCalm: boolean
  readonly #random: Random
  readonly #nodes: SimNode[]
  readonly #links = new Map<string, SimLink>()
  readonly #routes = new RouteTable()
  readonly #router: Router
  readonly #engines = new Map<string, ShardCommands>()
  /** How many commands were sent. */
  #commands = 0
  #unanswered = 0

  /** In a calm world shards move as planned, and nothing fails. */
  constructor(seed: number, { isCalm }: { readonly isCalm: boolean }) {
    this.#isCalm = isCalm
    this.#random = new Random(seed)
    const { clock, record } = this
    const random = this.#random
    const faults = isCalm ? noFaults : someFaults
    this.#nodes = ['own', 'a', 'b', 'c'].map(
      (id) => new SimNode({ id, clock, random, record, faults }),
    )
    this.#router = new Router({
      routes: this.#routes,
      local: (shard) => this.#localEngine(shard),
      peer: (nodeId) => this.#links.get(nodeId) ?? null,
      orderOf: () => Promise.resolve('stored' as never),
      settlementOf: () => Promise.resolve('stored' as never),
      eventForm: () => presentForm,
      now: () => clock.now(),
      setTimer: (run, ms) => clock.after(ms, run),
      metrics: {
        routed() {},
        held: (count) => {
          this.heldMax = Math.max(this.heldMax, count)
        },
        routeSeconds() {},
      },
    })
    const onConnected = () => this.#router.retry()
    const unsentChance = isCalm ? 0 : 1
    for (const node of this.#nodes.slice(1)) {
      const link = new SimLink({ clock, random, node, onConnected, unsentChance })
      this.#links.set(node.id, link)
    }
  }

  async run(): Promise<void> {
    for (let shard = 0; shard < shardCount; shard += 1) {
      this.#claim(shard, this.#random.pick(this.#nodes))
    }
    this.#traffic()
    this.clock.after(this.#random.between(100, 2_000), () => this.#incident())
    while (this.clock.step(runMsMax)) {
      await settleMicrotasks()
      if (this.clock.now() > trafficMs && this.#unanswered === 0) return
    }
  }

  #localEngine(shard: number): ShardCommands | null {
    const own = this.#nodes[0]!
    const epoch = own.epochOf(shard)
    if (epoch === null) return null
    const key = `${shard} ${epoch}`
    const known = this.#engines.get(key)
    if (known !== undefined) return known
    const engine = engineOf(own, shard)
    this.#engines.set(key, engine)
    return engine
  }

  #traffic(): void {
    if (this.clock.now() > trafficMs) return
    const shard = this.#random.between(0, shardCount - 1)
    const operatorId = this.#random.pick(['x', 'y', 'z'])
    if (this.#random.chance(20)) this.#submitBatch(shard, operatorId)
    else this.#submit(shard, operatorId)
    const pause = this.#random.chance(60) ? 3 : 250
    this.clock.after(this.#random.between(0, pause), () => this.#traffic())
  }

  #submit(shard: number, operatorId: string): void {
    const kind = this.#random.weighted<CommandKind>(weights as Record<CommandKind, number>)
    const command = this.#command(kind, operatorId)
    this.#follow(shard, operatorId, command, this.#router.shard(shard).submit(kind, command))
  }

  #submitBatch(shard: number, operatorId: string): void {
    const count = this.#random.between(1, 5)
    const commands = Array.from({ length: count }, () => this.#command('place', operatorId))
    const answers = this.#router.shard(shard).submitAll('place', commands as never)
    for (const [at, answer] of answers.entries()) {
      this.#follow(shard, operatorId, commands[at]!, answer)
    }
  }

  #command(kind: CommandKind, operatorId: string): SimCommand & Commands[CommandKind]['command'] {
    this.#commands += 1
    const number = this.#commands
    const isKeyed = kind === 'acknowledge' || (kind === 'place' && this.#random.chance(50))
    const transactionId = isKeyed ? `t${number}` : null
    return { operatorId, number, simKind: kind, wasLost: false, transactionId } as never
  }

  #follow(shard: number, operatorId: string, command: SimCommand, answer: Promise<unknown>): void {
    const sentAt = this.clock.now()
    const sent: Sent = { shard, command, operatorId, sentAt, endedAt: null, ending: null }
    this.sent.push(sent)
    this.#unanswered += 1
    const end = (ending: Ending) => {
      sent.endedAt = this.clock.now()
      sent.ending = ending
      this.#unanswered -= 1
    }
    answer.then(
      (result) => end({ kind: 'RESULT', result: result as Result<unknown> }),
      (error: unknown) => end({ kind: kindOf(error) }),
    )
  }

  #incident(): void {
    if (this.clock.now() > trafficMs + 2_000) return
    const random = this.#random
    const shard = random.between(0, shardCount - 1)
    const name = this.#isCalm ? 'handOver' : random.weighted(incidents)
    if (name === 'handOver') this.#handOver(shard)
    else if (name === 'lapse') this.#takeOver(shard, 0)
    else if (name === 'freeze') this.#freeze(this.#otherNode())
    else if (name === 'kill') this.#kill(this.#otherNode())
    else if (name === 'cutLink') random.pick([...this.#links.values()]).cut()
    else random.pick([...this.#links.values()]).declareBroken()
    const pause = this.#isCalm ? random.between(3_000, 4_000) : random.between(100, 2_500)
    this.clock.after(pause, () => this.#incident())
  }

  #otherNode(): SimNode {
    return this.#random.pick(this.#nodes.slice(1))
  }

  #handOver(shard: number): void {
    const owner = this.record.owners[shard]
    const node = this.#nodes.find(({ id }) => id === owner?.nodeId)
    if (!owner || node === undefined || node.isFrozen || node.isDown) return
    const next = this.#random.pick(this.#nodes.filter((other) => other !== node))
    node.close(shard, 50, () => {
      if (this.record.owners[shard] !== owner) return
      this.record.owners[shard] = null
      if (this.#random.chance(50)) this.#routes.endEpoch(shard, owner.epoch)
      this.clock.after(this.#random.between(5, 300), () => this.#claim(shard, next))
    })
  }

  /** The lease of the owner ends, and another node claims the shard. */
  #takeOver(shard: number, ms: number): void {
    const owner = this.record.owners[shard]
    this.clock.after(ms, () => {
      if (!owner || this.record.owners[shard] !== owner) return
      const former = this.#nodes.find(({ id }) => id === owner.nodeId)!
      this.record.owners[shard] = null
      this.clock.after(this.#random.between(0, 2_000), () => former.lose(shard))
      this.#claim(shard, this.#random.pick(this.#nodes.filter((node) => node !== former)))
    })
  }

  // A node that cannot claim leaves the shard to the next.
  #claim(shard: number, node: SimNode): void {
    if (this.record.owners[shard]) return
    if (node.isFrozen || node.isDown) {
      this.clock.after(250, () => this.#claim(shard, this.#random.pick(this.#nodes)))
      return
    }
    const route = this.record.claim(shard, node.id)
    const isOwn = node === this.#nodes[0]
    const onLoaded = () => {
      if (isOwn) this.#router.retry()
    }
    node.start(shard, route, { ms: this.#random.between(0, 300), onLoaded })
    for (const other of this.#nodes) {
      this.clock.after(this.#random.between(0, 400), () => other.hear(shard, route))
    }
    this.#announce(shard, route)
  }

  #announce(shard: number, route: Route): void {
    const times = this.#random.between(1, 2)
    for (let time = 0; time < times; time += 1) {
      this.clock.after(this.#random.between(0, 400), () => this.#routes.setOwner(shard, route))
    }
  }

  #freeze(node: SimNode): void {
    if (node.isFrozen || node.isDown) return
    node.freeze(this.#random.between(100, 6_000))
    this.clock.after(1_500, () => {
      if (node.isFrozen) this.#links.get(node.id)!.declareBroken()
    })
    this.#endLeases(node, () => node.isFrozen)
  }

  #kill(node: SimNode): void {
    if (node.isFrozen || node.isDown) return
    node.kill(this.#random.between(500, 5_000))
    this.#links.get(node.id)!.declareBroken()
    this.#endLeases(node, () => true)
  }

  #endLeases(node: SimNode, isGone: () => boolean): void {
    for (const [shard, owner] of this.record.owners.entries()) {
      if (owner?.nodeId !== node.id) continue
      this.clock.after(leaseMs, () => {
        if (isGone()) this.#takeOver(shard, 0)
      })
    }
  }
}

const weights = {
  place: 40,
  cancel: 15,
  amend: 10,
  acknowledge: 8,
  book: 12,
  createMarket: 5,
  settle: 4,
} satisfies Partial<Record<CommandKind, number>>

const incidents = { handOver: 25, lapse: 15, freeze: 20, kill: 10, cutLink: 20, breakLink: 20 }

function kindOf(error: unknown): 'UNAVAILABLE' | 'COMMIT_UNKNOWN' | 'FAILED' {
  if (error instanceof Unavailable) return 'UNAVAILABLE'
  return error instanceof CommitUnknown ? 'COMMIT_UNKNOWN' : 'FAILED'
}

/** The engine of the router's own node. */
function engineOf(node: SimNode, shard: number): ShardCommands {
  const submit = (kind: CommandKind, command: object) =>
    new Promise<never>((resolve, reject) => {
      node.receive(shard, kind, command as SimCommand, {
        deadline: Number.POSITIVE_INFINITY,
        reply: (outcome) => {
          if (outcome.kind === 'ANSWERED') resolve(outcome.result as never)
          else if (outcome.kind === 'NOT_OWNER') reject(new NotOwner())
          else if (outcome.kind === 'UNAVAILABLE') reject(new Unavailable('simulated'))
          else if (outcome.kind === 'UNKNOWN') reject(new CommitUnknown('simulated'))
          else reject(new Error('simulated'))
        },
      })
    })
  return {
    submit,
    submitAll: (kind, commands) => commands.map((command) => submit(kind, command)),
    costOf: () => 1,
  }
}

function settleMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
