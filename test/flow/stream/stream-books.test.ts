// Books that are rebuilt from the stream equal those of REST, at every version, during trading.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { endow, trade } from '../../support/http/random-trading.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'
import { Random } from '../../support/process/random.ts'
import { BookKeeper, bookText } from '../../support/stream/book-keeper.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'

const clientCount = 12
const checksPerClient = 25

type Watcher = {
  readonly client: StreamClient
  readonly keepers: Map<string, BookKeeper>
  readonly faults: readonly unknown[]
}

async function watch(url: string, markets: readonly Json[]): Promise<Watcher> {
  const keepers = new Map<string, BookKeeper>()
  const faults: unknown[] = []
  const onMessage = (message: Json) => {
    if (!message.type.startsWith('orderbook.')) return
    const keeper = keepers.get(message.outcomeId) ?? new BookKeeper()
    keepers.set(message.outcomeId, keeper)
    try {
      keeper.receive(message)
    } catch (fault) {
      faults.push(fault)
    }
  }
  const client = await StreamClient.open(url, { onMessage })
  const marketIds = markets.map(({ id }) => id)
  await client.request({ op: 'subscribe', channels: ['orderbook'], marketIds })
  return { client, keepers, faults }
}

async function sameAsRest(
  operator: OperatorClient,
  { market, outcome }: { market: Json; outcome: number },
  { client, keepers }: Watcher,
): Promise<boolean> {
  const book = await operator.book(market, outcome, '?depth=1000')
  const { version, outcomeId } = book
  const isThere = () => keepers.get(outcomeId)?.at(version) !== undefined
  if (!isThere()) {
    await client.until((message) => message.outcomeId === outcomeId && message.version >= version)
  }
  const kept = keepers.get(outcomeId)!.at(version)
  // Where the stream began later than that version there is nothing to compare.
  if (kept !== undefined) assert.equal(kept, bookText(book), `version ${version}`)
  return kept !== undefined
}

test('a book from snapshot and updates equals REST at the same version', async (context) => {
  const service = await Service.start({ env: { RATE_LIMIT_PUBLIC: '0' } })
  context.after(() => service.kill())
  const operator = await OperatorClient.create(service)
  const markets = [await operator.openMarket(), await operator.openMarket()]
  await endow(operator, markets)
  const random = new Random(42)
  const trading = trade({ operator, markets, random, traders: 12 })
  context.after(() => trading.stop())
  let compared = 0
  const run = async () => {
    const watcher = await watch(service.url, markets)
    for (let check = 0; check < checksPerClient; check += 1) {
      const which = { market: random.pick(markets), outcome: random.between(0, 1) }
      if (await sameAsRest(operator, which, watcher)) compared += 1
    }
    return watcher
  }
  const watchers: Watcher[] = []
  while (watchers.length < clientCount) {
    watchers.push(...(await Promise.all([run(), run(), run(), run()])))
  }
  await trading.stop()
  for (const { faults } of watchers) assert.deepEqual(faults, [])
  for (const market of markets) {
    for (const { id } of market.outcomes) {
      const path = `/api/v1/markets/${market.id}/orderbook/${id}?depth=1000`
      const { data } = (await service.request('GET', path)).body
      for (const { client, keepers } of watchers) {
        if (keepers.get(id)!.version !== data.version) {
          await client.until((message) => {
            return message.outcomeId === id && message.version === data.version
          })
        }
        assert.equal(keepers.get(id)!.at(data.version), bookText(data))
        assert.equal(keepers.get(id)!.snapshots, 1, 'no client fell behind')
      }
    }
  }
  assert.ok(compared > clientCount * checksPerClient * 0.5, `${compared} books compared`)
  assert.ok(trading.count() > 100, `${trading.count()} requests`)
  for (const { client } of watchers) await client.close()
})
