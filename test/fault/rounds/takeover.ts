// A service is frozen past its lease, another takes its database, and the first wakes up with
// requests to answer: it must not store any of them.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Service } from '../../support/process/outcry-process.ts'
import { ask, type DatabaseServer } from '../../support/store/postgres-databases.ts'
import { started } from '../support/service-options.ts'
import { openMarket, type SceneMarket } from '../support/trading-fixture.ts'

const requests = 8
const wakeMs = 20_000
/** What a service ends with that has lost its store. */
const lostCode = 70

export type TakeoverOptions = {
  readonly server: DatabaseServer
  /** The second stores something first; else the epoch alone tells that the shard was taken. */
  readonly isBusy?: boolean
  /** Makes the commit function let late turns through, to see that it is noticed. */
  readonly isFenceless?: boolean
}

/** What is found wrong, each in a sentence. */
export async function runTakeover(options: TakeoverOptions): Promise<string[]> {
  const { server, isBusy = false, isFenceless = false } = options
  const { url } = await server.newDatabase()
  const env = {
    ...started().env,
    DATABASE_URL: url,
    OUTCRY_SECRETS_KEY: randomBytes(32).toString('hex'),
  }
  const services: Service[] = []
  const start = async () => {
    const service = await Service.start({ ...started(), env })
    services.push(service)
    return service
  }
  try {
    const first = await start()
    const { id, key } = await first.newOperator('house')
    const market = await openMarket(first, { id, key })
    const place = (service: Service, transactionId: string) =>
      service.ask('POST', '/api/v1/orders', { key, body: orderOf(market, transactionId) })
    await place(first, 'before')
    first.process.kill('SIGSTOP')
    // They wait in its sockets until it wakes.
    const late = Array.from({ length: requests }, (_, number) =>
      place(first, `late-${number}`).then(
        ({ status }) => status,
        () => null,
      ),
    )
    const second = await start()
    if (isFenceless) await removeFence(url)
    const found: string[] = []
    if (isBusy) await place(second, 'meanwhile')
    const ended = Promise.race([once(first.process, 'exit'), delay(wakeMs, null, { ref: false })])
    first.process.kill('SIGCONT')
    const statuses = await Promise.all(late)
    await ended
    if (statuses.includes(201)) found.push(`late orders were answered ${statuses.join(', ')}`)
    const stored = await ask<{ transaction_id: string }>(
      url,
      'SELECT transaction_id FROM orders ORDER BY serial',
    )
    const names = stored.map(({ transaction_id }) => transaction_id)
    if (names.join() !== (isBusy ? 'before,meanwhile' : 'before'))
      found.push(`stored are ${names.join(', ')}`)
    const { exitCode } = first.process
    if (exitCode !== lostCode) found.push(`the first ended with ${exitCode}`)
    if ((await place(second, 'after')).status !== 201) found.push('the second is not at work')
    return found
  } finally {
    for (const service of services) {
      service.process.kill('SIGCONT')
      await service.kill()
    }
  }
}

function orderOf(market: SceneMarket, transactionId: string) {
  const about = { marketId: market.id, outcomeId: market.outcomeIds[0], playerId: 'ann' }
  return { ...about, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.3, transactionId }
}

async function removeFence(url: string): Promise<void> {
  const [found] = await ask<{ text: string }>(
    url,
    `SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname LIKE 'commit\\_turn\\_%'`,
  )
  const fence = ' AND epoch = of_epoch AND seq = turn_from AND hash = hash_before'
  if (!found?.text.includes(fence)) throw new Error('The fence is not where it was.')
  await ask(url, found.text.replace(fence, ''))
}
