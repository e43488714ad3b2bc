// Kills the service again and again under load, on one folder, and looks at the end whether
// anything was lost, done twice, or told wrongly.

import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import {
  newFolder,
  type Prepared,
  Service,
  type ServiceOptions,
} from '../../support/process/outcry-process.ts'
import { Random } from '../../support/process/random.ts'
import { Clients } from '../support/clients.ts'
import { Consumer } from '../support/event-checks.ts'
import type { Break } from '../support/planted-defects.ts'
import { verify } from '../support/record-checks.ts'
import { dying, waiting as waitingProgram } from '../support/service-options.ts'
import { makeScene } from '../support/trading-fixture.ts'

const consumerMs = 100
/** A kill comes after so many answers, and then at any moment of the next few milliseconds. */
const answersMax = 150
const momentMax = 20
const answersWaitMs = 3_000

export type KillOptions = {
  readonly times: number
  readonly seed: number
  readonly clients?: number
  readonly broken?: Break
  /** Instead of kills at any moment: each dies when its commit of that number is stored. */
  readonly diesAtCommit?: number
  readonly onKill?: (kill: number, figures: Figures) => void
}

export type Figures = {
  readonly operations: number
  readonly done: number
  readonly refused: number
  readonly unavailable: number
  readonly unknown: number
}

export type KillReport = { readonly figures: Figures; readonly violations: readonly string[] }

export async function runKills(options: KillOptions): Promise<KillReport> {
  const { times, seed, clients: count = 16 } = options
  const random = new Random(seed)
  const dataDir = await newFolder()
  const waiting = standbys(dataDir, options)
  try {
    let service = await waiting.next()
    const scene = await makeScene(service)
    const clients = new Clients(scene, { count, seed })
    const consumers = scene.traders.map((trader) => new Consumer(trader))
    const figures = () => figuresOf(clients)
    for (let kill = 1; kill <= times; kill += 1) {
      const load = clients.run(service)
      const reading = readOn(service, consumers)
      if (kill > 1 && options.diesAtCommit !== undefined) await endOf(service)
      else await clients.answers(random.between(1, answersMax), answersWaitMs)
      await pause(random.between(0, momentMax))
      await service.kill()
      reading.stop()
      service = await waiting.next()
      clients.stop()
      await load
      options.onKill?.(kill, figures())
    }
    await clients.finish(service)
    const violations = await verify(service, scene, clients.history)
    for (const consumer of consumers) violations.push(...(await consumer.violations(service)))
    const code = await service.stop()
    if (code !== 0) violations.push(`the last one ended with ${code}`)
    return { figures: figures(), violations }
  } finally {
    waiting.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** While one process serves, the next has loaded its code and waits. The first is never broken. */
function standbys(dataDir: string, { broken, diesAtCommit }: KillOptions) {
  const program = waitingProgram(broken)
  const dies = diesAtCommit === undefined ? program : dying(diesAtCommit, program)
  const options: ServiceOptions = { dataDir, ...dies }
  let standby: Promise<Prepared> = Service.prepare({ ...options, ...waitingProgram() })
  let running: Service | null = null
  return {
    next: async (): Promise<Service> => {
      const prepared = await standby
      standby = Service.prepare(options)
      running = await prepared.begin()
      return running
    },
    end: () => {
      void standby.then((prepared) => prepared.discard())
      running?.process.kill('SIGKILL')
    },
  }
}

function readOn(service: Service, consumers: readonly Consumer[]) {
  let isReading = false
  const timer = setInterval(async () => {
    if (isReading) return
    isReading = true
    await Promise.all(consumers.map((consumer) => consumer.readOn(service)))
    isReading = false
  }, consumerMs)
  return { stop: () => clearInterval(timer) }
}

function figuresOf({ history }: Clients): Figures {
  return {
    operations: history.operations.length,
    done: history.count('done'),
    refused: history.count('refused'),
    unavailable: history.count('unavailable'),
    unknown: history.count('unknown'),
  }
}

async function endOf(service: Service): Promise<void> {
  if (!service.hasEnded) await once(service.process, 'exit')
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
