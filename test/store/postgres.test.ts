// The store on PostgreSQL passes the suite of all stores, each test in a database of its own.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { postgresOrNot, quick } from '../support/postgres-databases.ts'
import { storeSuite } from './store-suite.ts'

const server = await postgresOrNot('the store on PostgreSQL', quick)

if (server !== null) {
  after(() => server.stop())
  storeSuite('PostgreSQL', async () => {
    const { url } = await server.newDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'outcry-store-'))
    return {
      open: () =>
        openPostgresStore({
          url,
          folder,
          onFatal: (cause) => {
            throw cause
          },
        }),
      remove: async () => rmSync(folder, { recursive: true }),
    }
  })
}
