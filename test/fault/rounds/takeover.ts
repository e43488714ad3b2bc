// A service is frozen until its lease has expired and another one has taken over its database. When
// it wakes up with requests to answer, it must not store any of them, nor show a book that the
// other service has changed.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Service } from '../../support/process/outcry-process.ts'
import { type DatabaseServer, query } from '../../support/store/postgres-databases.ts'
import type { Defect } from '../support/planted-defects.ts'
import { serviceOptions } from '../support/process-options.ts'
import { type FixtureMarket, openMarket } from '../support/trading-fixture.ts'

const requests = 8
const wakeMs = 60_000
/** The exit code of a service whose store has failed. */
const storeFailedCode = 70

export type TakeoverOptions = {
  readonly server: DatabaseServer
  /** The second service stores a turn before the first one wakes; else only the epoch differs. */
  readonly isBusy?: boolean
  /** Removes the check of the epoch from the commit function, as a planted defect. */
  readonly hasNoFence?: boolean
  /** It wakes with queries for a book only: orders in the same turn would hold them up. */
  readonly isAskedForBooks?: boolean
  /** Of the service that is frozen. */
  readonly defect?: Defect
}

/** The violations, each as a sentence. */
export async function runTakeover(options: TakeoverOptions): Promise<string[]> {
  const { server, isBusy = false, hasNoFence = false, isAskedForBooks = false } = options
  const { url } = await server.newDatabase()
  const env = {
    DATABASE_URL: url,
    OUTCRY_SECRETS_KEY: randomBytes(32).toString('hex'),
  }
  const services: Service[] = []
  const start = async (own: Defect = 'none') => {
    const options = serviceOptions(own)
    const service = await Service.start({ ...options, env: { ...options.env, ...env } })
    services.push(service)
    return service
  }
  try {
    const first = await start(options.defect)
    const { id, key } = await first.newOperator('operator')
    const market = await openMarket(first, { id, key })
    const place = (service: Service, transactionId: string) =>
      service.request('POST', '/api/v1/orders', { key, body: orderOf(market, transactionId) })
    await place(first, 'before')
    first.process.kill('SIGSTOP')
    // They wait in the sockets of the frozen service.
    const late = Array.from({ length: isAskedForBooks ? 0 : requests }, (_, number) =>
      place(first, `late-${number}`).then(
        ({ status }) => status,
        () => null,
      ),
    )
    const path = `/api/v1/markets/${market.id}/orderbook/${market.outcomeIds[0]}`
    const books = Array.from({ length: isAskedForBooks ? requests : 0 }, () =>
      first.request('GET', path).then(
        ({ status, body }) => (status === 200 ? Number(body.data.version) : null),
        () => null,
      ),
    )
    const second = await start()
    if (hasNoFence) await removeFence(url)
    const found: string[] = []
    if (isBusy) await place(second, 'meanwhile')
    const { version } = (await second.request('GET', path)).body.data
    const ended = Promise.race([once(first.process, 'exit'), delay(wakeMs, null, { ref: false })])
    first.process.kill('SIGCONT')
    const statuses = await Promise.all(late)
    await ended
    const shown = (await Promise.all(books)).filter((each) => each !== null && each < version)
    if (shown.length > 0) found.push(`${shown.length} old books were shown`)
    if (statuses.includes(201)) found.push(`late orders were answered ${statuses.join(', ')}`)
    const stored = await query<{ transaction_id: string }>(
      url,
      'SELECT transaction_id FROM outcry_shard_0.orders ORDER BY serial',
    )
    const names = stored.map(({ transaction_id }) => transaction_id)
    if (names.join() !== (isBusy ? 'before,meanwhile' : 'before'))
      found.push(`stored orders: ${names.join(', ')}`)
    const { exitCode } = first.process
    if (exitCode !== storeFailedCode) found.push(`the first service exited with ${exitCode}`)
    if ((await place(second, 'after')).status !== 201) {
      found.push('the second service does not accept orders')
    }
    return found
  } finally {
    for (const service of services) {
      service.process.kill('SIGCONT')
      await service.kill()
    }
  }
}

function orderOf(market: FixtureMarket, transactionId: string) {
  const about = { marketId: market.id, outcomeId: market.outcomeIds[0], playerId: 'ann' }
  return { ...about, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.3, transactionId }
}

async function removeFence(url: string): Promise<void> {
  const [found] = await query<{ text: string }>(
    url,
    `SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname LIKE 'commit\\_turn\\_%'`,
  )
  const fence = / AND epoch = of_epoch AND command_sequence = turn_from\s+AND hash = hash_before/
  if (found === undefined || !fence.test(found.text)) {
    throw new Error('The commit function does not contain the expected check of the epoch.')
  }
  await query(url, found.text.replace(fence, ''))
}
