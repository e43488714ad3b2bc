// The store on PostgreSQL passes the suite of all stores, each test in a database of its own.

import { after } from 'node:test'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { postgresOrNot, quick } from '../support/postgres-databases.ts'
import { storeSuite } from './store-suite.ts'

const server = await postgresOrNot('the store on PostgreSQL', quick)

if (server !== null) {
  after(() => server.stop())
  storeSuite('PostgreSQL', async () => {
    const database = await server.newDatabase()
    let starts = 0
    return {
      open: () => {
        starts += 1
        return openPostgresStore({
          url: database.url,
          owner: `start ${starts}`,
          onFatal: (cause) => {
            throw cause
          },
        })
      },
      remove: () => database.remove(),
    }
  })
}
