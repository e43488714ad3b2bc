// Commits turns until it is killed, and prints a line after each. Run with a folder.

import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { countedOrder, plainMarket } from './sample-rows.ts'
import { StoreFixture } from './store-fixture.ts'

const folder = process.argv[2]!
/** The process ends by itself if the test does not kill it. */
const turnsMax = 100_000
const firstSerial = 10

const fixture = await StoreFixture.open({
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
if (fixture.sequence === 0) await fixture.commit(...plainMarket)
for (let turn = 0; turn < turnsMax; turn += 1) {
  const serial = firstSerial + fixture.sequence
  await fixture.commit(countedOrder({ serial, playerId: `player-${serial}` })).catch((error) => {
    process.stdout.write(`${error.outcome} ${error.message}\n`)
    process.exit(1)
  })
  process.stdout.write(`stored ${fixture.sequence}\n`)
}
