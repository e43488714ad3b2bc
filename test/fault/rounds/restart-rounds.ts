// Takes the PostgreSQL server away from a service under load, again and again: by a restart, by a
// crash, by ending its connections. Looks at the end whether anything was lost, done twice, or told
// wrongly.

import { setTimeout as delay } from 'node:timers/promises'
import { Service } from '../../support/process/outcry-process.ts'
import { Random } from '../../support/process/random.ts'
import { ask, type DatabaseServer } from '../../support/store/postgres-databases.ts'
import { Clients } from '../support/clients.ts'
import { Consumer } from '../support/event-checks.ts'
import type { Break } from '../support/planted-defects.ts'
import { keptIn } from '../support/postgres-records.ts'
import { verify } from '../support/record-checks.ts'
import { started } from '../support/service-options.ts'
import { makeScene } from '../support/trading-fixture.ts'

const answersMax = 150
const momentMax = 20
const answersWaitMs = 5_000
const readyWithinMs = 60_000
const ways = ['connections', 'fast', 'immediate', 'connections'] as const
type Way = (typeof ways)[number]

export type RestartOptions = {
  readonly server: DatabaseServer
  readonly times: number
  readonly seed: number
  readonly broken?: Break
  readonly onRound?: (round: number, way: Way) => void
}

export async function runRestarts(options: RestartOptions) {
  const { server, times, seed, broken = 'nothing' } = options
  const { url } = await server.newDatabase()
  const random = new Random(seed)
  const program = started(broken)
  const service = await Service.start({ ...program, env: { ...program.env, DATABASE_URL: url } })
  try {
    const scene = await makeScene(service)
    const clients = new Clients(scene, { count: 16, seed })
    const consumers = scene.traders.map((trader) => new Consumer(trader))
    const load = clients.run(service)
    for (let round = 0; round < times; round += 1) {
      await clients.answers(random.between(1, answersMax), answersWaitMs)
      await delay(random.between(0, momentMax))
      const way = ways[round % ways.length]!
      if (way === 'connections') await endConnections(server.url)
      else await server.restart(way)
      await untilReady(service)
      for (const consumer of consumers) await consumer.readOn(service)
      options.onRound?.(round + 1, way)
    }
    clients.stop()
    await load
    await clients.finish(service)
    const violations = await verify(service, scene, clients.history, keptIn(url))
    for (const consumer of consumers) violations.push(...(await consumer.violations(service)))
    const { history } = clients
    const figures = {
      done: history.count('done'),
      unavailable: history.count('unavailable'),
      unknown: history.count('unknown'),
    }
    return { figures, violations }
  } finally {
    await service.stop()
  }
}

/** Those of all clients but the one that does it. */
async function endConnections(url: string): Promise<void> {
  await ask(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  )
}

async function untilReady(service: Service): Promise<void> {
  const deadline = performance.now() + readyWithinMs
  for (;;) {
    if (service.hasEnded) throw new Error(`The service has ended:\n${service.printed()}`)
    if ((await service.ask('GET', '/ready')).status === 200) return
    if (performance.now() > deadline) throw new Error('The service did not come back.')
    await delay(50)
  }
}
