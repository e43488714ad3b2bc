// Interrupts the PostgreSQL server of a service under load repeatedly: by restarts, crashes and
// terminated connections. Checks at the end that nothing was lost, repeated or published wrongly.

import { setTimeout as delay } from 'node:timers/promises'
import { Service } from '../../support/process/outcry-process.ts'
import { Random } from '../../support/process/random.ts'
import { type DatabaseServer, query } from '../../support/store/postgres-databases.ts'
import { Clients } from '../support/clients.ts'
import { Consumer } from '../support/event-checks.ts'
import type { Defect } from '../support/planted-defects.ts'
import { recordsIn } from '../support/postgres-records.ts'
import { serviceOptions } from '../support/process-options.ts'
import { verify } from '../support/record-checks.ts'
import { StreamConsumer } from '../support/stream-consumer.ts'
import { createTradingFixture } from '../support/trading-fixture.ts'

const answersMax = 150
const momentMax = 20
/** A slow machine makes the run longer, and not the number of answers smaller. */
const answersWaitMs = 60_000
const readyWithinMs = 60_000
const ways = ['connections', 'fast', 'immediate', 'connections'] as const
type Way = (typeof ways)[number]

export type RestartOptions = {
  readonly server: DatabaseServer
  readonly times: number
  readonly seed: number
  readonly clients?: number
  readonly defect?: Defect
  readonly onRound?: (round: number, way: Way) => void
}

export async function runRestarts(options: RestartOptions) {
  const { server, times, seed, clients: count = 16, defect = 'none' } = options
  const { url } = await server.newDatabase()
  const random = new Random(seed)
  const program = serviceOptions(defect)
  const service = await Service.start({ ...program, env: { ...program.env, DATABASE_URL: url } })
  try {
    const fixture = await createTradingFixture(service)
    const clients = new Clients(fixture, { count, seed })
    const consumers = fixture.traders.map((trader) => new Consumer(trader))
    const streams = fixture.traders.map((trader) => new StreamConsumer(trader))
    await Promise.all(streams.map((stream) => stream.follow(service)))
    const load = clients.run(service)
    for (let round = 0; round < times; round += 1) {
      await clients.answers(random.between(1, answersMax), answersWaitMs)
      await delay(random.between(0, momentMax))
      const way = ways[round % ways.length]!
      if (way === 'connections') await endConnections(server.url)
      else await server.restart(way)
      await untilReady(service)
      for (const consumer of consumers) await consumer.readMore(service)
      options.onRound?.(round + 1, way)
    }
    clients.stop()
    await load
    await clients.finish(service)
    const violations = await verify(service, fixture, clients.history, recordsIn(url))
    for (const consumer of consumers) violations.push(...(await consumer.violations(service)))
    for (const stream of streams) violations.push(...(await stream.violations(service)))
    const { history } = clients
    const figures = {
      streamed: streams.reduce((sum, { received }) => sum + received, 0),
      done: history.count('done'),
      unavailable: history.count('unavailable'),
      unknown: history.count('unknown'),
    }
    return { figures, violations }
  } finally {
    await service.stop()
  }
}

/** Terminates the connections of all other clients. */
async function endConnections(url: string): Promise<void> {
  await query(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  )
}

async function untilReady(service: Service): Promise<void> {
  const deadline = performance.now() + readyWithinMs
  for (;;) {
    if (service.hasEnded) throw new Error(`The service has ended:\n${service.printed()}`)
    if ((await service.request('GET', '/ready')).status === 200) return
    if (performance.now() > deadline)
      throw new Error(`The service was not ready within ${readyWithinMs} ms.`)
    await delay(50)
  }
}
