// Kills the service repeatedly under load, on one data folder, and checks at the end that nothing
// was lost, repeated or published wrongly.

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
import type { Defect } from '../support/planted-defects.ts'
import {
  killedAtCommitOptions,
  standbyOptions as waitingProgram,
} from '../support/process-options.ts'
import { largestTurnIn, verify } from '../support/record-checks.ts'
import { StreamConsumer } from '../support/stream-consumer.ts'
import { createTradingFixture } from '../support/trading-fixture.ts'

const consumerMs = 100
/** A kill happens after at most so many answers, and at a random moment after that. */
const answersMax = 150
/** With many clients, that is a few for each. */
const answersPerClientMax = 3
const momentMax = 20
/** A slow machine makes the run longer, and not the number of answers smaller. */
const answersWaitMs = 60_000

export type KillOptions = {
  readonly times: number
  readonly seed: number
  readonly clients?: number
  readonly defect?: Defect
  /** Instead of kills at random moments: each process is killed at this commit. */
  readonly diesAtCommit?: number
  readonly onKill?: (kill: number, figures: Figures) => void
}

export type Figures = {
  readonly operations: number
  readonly done: number
  readonly rejected: number
  readonly unavailable: number
  readonly unknown: number
  /** Events that stream clients have received. */
  readonly streamed: number
}

export type KillReport = {
  readonly figures: Figures
  readonly violations: readonly string[]
  /** The largest number of commands in a turn. */
  readonly largestTurn: number
}

export async function runKills(options: KillOptions): Promise<KillReport> {
  const { times, seed, clients: count = 16 } = options
  const random = new Random(seed)
  const dataDir = await newFolder()
  const standbyOptions = standbys(dataDir, options)
  try {
    let service = await standbyOptions.next()
    const fixture = await createTradingFixture(service)
    const clients = new Clients(fixture, { count, seed })
    const consumers = fixture.traders.map((trader) => new Consumer(trader))
    const streams = fixture.traders.map((trader) => new StreamConsumer(trader))
    const figures = () => figuresOf(clients, streams)
    const enough = Math.max(answersMax, count * answersPerClientMax)
    const found: string[] = []
    for (let kill = 1; kill <= times; kill += 1) {
      const load = clients.run(service)
      const reading = readOn(service, consumers)
      await Promise.all(streams.map((stream) => stream.follow(service)))
      if (kill > 1 && options.diesAtCommit !== undefined) await finalStatus(service)
      else {
        const answered = clients.answers(random.between(1, enough), answersWaitMs)
        await Promise.race([answered, finalStatus(service)])
        if (service.hasEnded) found.push(`the service ended by itself: ${service.printed()}`)
      }
      await pause(random.between(0, momentMax))
      await service.kill()
      reading.stop()
      const next = await standbyOptions.next().catch((error: Error) => error)
      clients.stop()
      await load
      if (next instanceof Error) {
        return { figures: figures(), violations: [...found, next.message], largestTurn: 0 }
      }
      service = next
      options.onKill?.(kill, figures())
    }
    await clients.finish(service)
    const violations = [...found, ...(await verify(service, fixture, clients.history))]
    for (const consumer of consumers) violations.push(...(await consumer.violations(service)))
    for (const stream of streams) violations.push(...(await stream.violations(service)))
    const code = await service.stop()
    if (code !== 0) violations.push(`the last one ended with ${code}`)
    return { figures: figures(), violations, largestTurn: largestTurnIn(dataDir) }
  } finally {
    standbyOptions.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** While one process serves, the next one has loaded its code. The first has no defect. */
function standbys(dataDir: string, { defect, diesAtCommit }: KillOptions) {
  const program = waitingProgram(defect)
  const dies = diesAtCommit === undefined ? program : killedAtCommitOptions(diesAtCommit, program)
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
    await Promise.all(consumers.map((consumer) => consumer.readMore(service)))
    isReading = false
  }, consumerMs)
  return { stop: () => clearInterval(timer) }
}

function figuresOf({ history }: Clients, streams: readonly StreamConsumer[]): Figures {
  return {
    streamed: streams.reduce((sum, { received }) => sum + received, 0),
    operations: history.operations.length,
    done: history.count('done'),
    rejected: history.count('rejected'),
    unavailable: history.count('unavailable'),
    unknown: history.count('unknown'),
  }
}

async function finalStatus(service: Service): Promise<void> {
  if (!service.hasEnded) await once(service.process, 'exit')
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
