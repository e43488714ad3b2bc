// Everything at once: all attacks, each in a process of its own, kills and restarts of the service,
// and honest clients that must lose nothing, see nothing twice, and be served all the time.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { newFolder, Service, type ServiceOptions } from '../../support/process/outcry-process.ts'
import { Random } from '../../support/process/random.ts'
import type { Attack } from '../attacks/support/attack.ts'
import { ask, next, startAttacker } from '../attacks/support/fair-round.ts'
import type { AttackerReport, AttackTally } from '../attacks/support/round-messages.ts'
import { Clients } from '../support/clients.ts'
import { HonestClients } from '../support/honest-clients.ts'
import type { Defect } from '../support/planted-defects.ts'
import { recordsIn } from '../support/postgres-records.ts'
import { serviceOptions } from '../support/process-options.ts'
import { recordsInFolder, type StoredRecords, verify } from '../support/record-checks.ts'
import { StreamConsumer } from '../support/stream-consumer.ts'
import { createTradingFixture, defaultLimits } from '../support/trading-fixture.ts'

const honestClients = 8
/** Between an answer and the next request of an honest client. */
const thinkMs = 100
/** At this part of their rates, the attacks together still ask for more than the service can do. */
const attackShare = 0.25
/**
 * Lower than that of the service. An attacker has a machine of its own; here, a dozen of them would
 * take the processors from the service and starve it and its clients without any request.
 */
const attackerPriority = 10
/** Of the interruptions; the others are restarts. */
const killPercent = 70

export type SiegeOptions = {
  readonly attacks: readonly Attack[]
  readonly ms: number
  readonly seed: number
  /** The service is interrupted after a random time between the two. */
  readonly phaseMs: readonly [number, number]
  /** The size of each attacked book. */
  readonly orders: number
  /** null for SQLite. */
  readonly databaseUrl?: string | null
  readonly defect?: Defect
  readonly onPhase?: (line: string) => void
}

export type SiegeReport = {
  readonly violations: readonly string[]
  readonly done: number
  readonly kills: number
  readonly restarts: number
  /** Milliseconds of an honest request, without those in which the service had no processor. */
  readonly p99: number
  readonly worst: number
  readonly waitedMs: number
  readonly tallies: Readonly<Record<string, AttackTally>>
}

export async function runSiege(options: SiegeOptions): Promise<SiegeReport> {
  const dataDir = await newFolder()
  const siege = new Siege(options, dataDir, await freePort())
  try {
    return await siege.run()
  } finally {
    await siege.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

class Siege {
  readonly #options: SiegeOptions
  readonly #start: () => Promise<Service>
  readonly #random: Random
  readonly #found: string[] = []
  readonly #attackers = new Map<string, ChildProcess>()
  #service: Service | null = null
  #kills = 0
  #restarts = 0

  constructor(options: SiegeOptions, dataDir: string, port: number) {
    this.#options = options
    this.#random = new Random(options.seed)
    let isFirst = true
    this.#start = async () => {
      // The first one has no defect: the markets are made with it.
      const { defect: _, ...right } = options
      const started = isFirst ? right : options
      isFirst = false
      this.#service = await Service.start(optionsOf(started, dataDir, port))
      return this.#service
    }
  }

  async run(): Promise<SiegeReport> {
    const { ms, seed, databaseUrl = null, onPhase = () => undefined } = this.#options
    const first = await this.#start()
    const fixture = await createTradingFixture(first)
    const clients = new Clients(fixture, { count: honestClients, seed, thinkMs })
    const honest = new HonestClients(clients)
    const streams = fixture.traders.map((trader) => new StreamConsumer(trader))
    await this.#prepareAttacks(first)
    onPhase('the attacks are prepared and start')
    for (const attacker of this.#attackers.values()) attacker.send({ op: 'start' })
    const endAt = performance.now() + ms
    for (let service = first; ; ) {
      await Promise.all(streams.map((stream) => stream.follow(service)))
      honest.start(service)
      const left = endAt - performance.now()
      const [least, most] = this.#options.phaseMs
      await Promise.race([
        delay(Math.max(0, Math.min(left, this.#random.between(least, most)))),
        once(service.process, 'exit'),
      ])
      if (performance.now() >= endAt) break
      await this.#interrupt(service, honest)
      service = await this.#start()
      onPhase(`${this.#kills} kills, ${this.#restarts} restarts, ${honest.text}`)
    }
    const tallies = await this.#stopAttacks()
    await this.#interrupt(this.#service!, honest)
    // What the attacks have left in queues has gone with the process.
    const last = await this.#start()
    await clients.finish(last)
    const records = databaseUrl === null ? recordsInFolder(last.dataDir) : recordsIn(databaseUrl)
    this.#found.push(...(await verify(last, fixture, clients.history, ofHonest(records))))
    for (const stream of streams) this.#found.push(...(await stream.violations(last)))
    this.#found.push(...honest.violations(honestClients))
    const { p99, worst, waitedMs } = honest
    const done = clients.history.count('done')
    const interrupted = { kills: this.#kills, restarts: this.#restarts }
    return { violations: this.#found, done, ...interrupted, p99, worst, waitedMs, tallies }
  }

  async end(): Promise<void> {
    for (const attacker of this.#attackers.values()) attacker.kill('SIGKILL')
    await this.#service?.kill()
  }

  async #prepareAttacks(service: Service): Promise<void> {
    const { attacks, orders } = this.#options
    await Promise.all(
      attacks.map(async ({ name }) => {
        const { url } = service
        const { key } = await service.newOperator(name)
        const attacker = startAttacker({ attack: name, url, key, orders, share: attackShare })
        this.#attackers.set(name, attacker)
        if (attacker.pid !== undefined) setPriority(attacker.pid, attackerPriority)
        await next<AttackerReport>(attacker)
      }),
    )
  }

  async #stopAttacks(): Promise<Record<string, AttackTally>> {
    const tallies: Record<string, AttackTally> = {}
    for (const [name, attacker] of this.#attackers) {
      if (attacker.exitCode !== null) {
        this.#found.push(`the attacker ${name} ended with ${attacker.exitCode}`)
        continue
      }
      const report = await ask<AttackerReport>(attacker, { op: 'stop' })
      if (report.state === 'stopped') tallies[name] = report.tally
    }
    return tallies
  }

  async #interrupt(service: Service, honest: HonestClients): Promise<void> {
    if (service.hasEnded) {
      const { exitCode, signalCode } = service.process
      const printed = service.printed().slice(-1_000)
      this.#found.push(`the service ended by itself with ${exitCode ?? signalCode}: ${printed}`)
    }
    honest.stop()
    if (this.#random.chance(killPercent)) {
      await service.kill()
      this.#kills += 1
    } else {
      const code = await service.stop()
      this.#restarts += 1
      if (code !== 0) this.#found.push(`the service stopped with ${code}`)
    }
    await honest.stopped()
  }
}

function optionsOf(
  { attacks, databaseUrl = null, defect }: SiegeOptions,
  dataDir: string,
  port: number,
): ServiceOptions {
  const { program, env } = serviceOptions(defect)
  const database = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }
  const ofAttacks = Object.assign({}, ...attacks.map((attack) => attack.env ?? {}))
  const settings = { ...env, ...defaultLimits, ...ofAttacks, ...database, PORT: String(port) }
  return { dataDir, ...(program === undefined ? {} : { program }), env: settings }
}

/** Attackers mint without a transactionId, honest clients with one. */
function ofHonest(records: StoredRecords): StoredRecords {
  const sets = async () => {
    const all = await records.sets()
    all.delete('null')
    return all
  }
  return { ...records, sets }
}

/** The attackers find the service at the same address after each restart. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
