// Fills a data folder through the engine and the store, without HTTP, and prints what it has
// created. It is a separate program, so that its memory does not affect the process that measures:
// see filled-store.ts.

import { readConfig } from '../../src/config.ts'
import { assert } from '../../src/core/assert.ts'
import { Engine } from '../../src/engine/engine.ts'
import { failureReporter } from '../../src/ops/edge-failures.ts'
import { createLog } from '../../src/ops/log.ts'
import { Metrics } from '../../src/ops/metrics.ts'
import { readSecretsKey, secretKeyOf } from '../../src/registry/key-files.ts'
import { Registry } from '../../src/registry/registry.ts'
import { isReject } from '../../src/registry/reject.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { RegistryStore } from '../../src/store/store.ts'
import type { FilledStore, Filling } from './filled-store.ts'
import { Filler } from './filler.ts'

async function fill(folder: string, filling: Filling): Promise<Omit<FilledStore, 'folder'>> {
  const now = Date.now
  const store = await openSqliteStore({
    folder,
    onFatal: (cause) => {
      throw cause
    },
  })
  try {
    const log = createLog({ level: 'warn' })
    const { rules } = readConfig({})
    const metrics = new Metrics()
    const reportFailure = failureReporter({ log, metrics })
    const [shard] = store.shards
    assert(shard !== undefined, 'a store has a shard')
    const isStoreAnswering = () => store.isAnswering()
    const eventForm = () => 1 as const
    const reporting = { eventForm, log, metrics, reportFailure }
    const engine = await Engine.start({ store: shard, rules, now, isStoreAnswering, ...reporting })
    let lastSequence = 0
    engine.onCommitted(({ eventRecords }) => {
      const last = eventRecords.at(-1)
      if (last !== undefined) lastSequence = last.firstSequence + last.count - 1
    })
    const { operatorId, apiKey } = await makeOperator(engine, store.registry, folder)
    const made = await new Filler(engine, operatorId, filling).fill()
    await engine.stop()
    return { apiKey, lastSequence, ...made }
  } finally {
    await store.close()
  }
}

async function makeOperator(engine: Engine, store: RegistryStore, folder: string) {
  const registry = await Registry.open({
    store,
    now: Date.now,
    secretKey: secretKeyOf((await readSecretsKey(folder)).text),
    onOperatorStored: async ({ id, number, supportedCurrencies, feeRate }) =>
      engine.putOperator({ id, number, supportedCurrencies, feeRate }),
  })
  const wanted = { name: 'bench', supportedCurrencies: ['USD'], feeRate: null }
  const made = await registry.operators.create(wanted)
  if (isReject(made)) throw new Error(`No operator: ${JSON.stringify(made)}`)
  return { operatorId: made.operator.id, apiKey: made.apiKey }
}

const [folder = '', filling = ''] = process.argv.slice(2)
console.log(JSON.stringify(await fill(folder, JSON.parse(filling))))
