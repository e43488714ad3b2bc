// The embedded store passes the suite of all stores.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { StorePlace } from './store-fixture.ts'
import { storeSuite } from './store-suite.ts'

storeSuite('SQLite', async (): Promise<StorePlace> => {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-store-'))
  return {
    open: () =>
      openSqliteStore({
        folder,
        onFatal: (cause) => {
          throw cause
        },
      }),
    remove: async () => rmSync(folder, { recursive: true }),
  }
})
