// Stores turns until it is killed, and says after each that it is stored. Run with a folder.

import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { countedOrder, plainMarket } from './sample-rows.ts'
import { StoreScene } from './store-scene.ts'

const folder = process.argv[2]!
/** Ends a test that forgot to kill. */
const turnsMax = 100_000
const firstSerial = 10

const scene = await StoreScene.open({
  open: () =>
    openSqliteStore({
      folder,
      onFatal: (cause) => {
        process.stdout.write(`fatal ${cause.message}\n`)
        process.exit(70)
      },
    }),
  remove: async () => {},
})
if (scene.sequence === 0) await scene.commit(...plainMarket)
for (let turn = 0; turn < turnsMax; turn += 1) {
  const serial = firstSerial + scene.sequence
  await scene.commit(countedOrder({ serial, playerId: `player-${serial}` })).catch((error) => {
    process.stdout.write(`${error.outcome} ${error.message}\n`)
    process.exit(1)
  })
  process.stdout.write(`stored ${scene.sequence}\n`)
}
