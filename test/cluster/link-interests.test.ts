// Interests over a real link: each is reported once it is in force at the owner.

import { deepEqual } from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Interests } from '../../src/cluster/interests.ts'
import { LinkServer } from '../../src/cluster/link/link-server.ts'
import { RouteTable } from '../../src/cluster/routes.ts'
import { createLog } from '../../src/ops/log.ts'
import { identityOf } from '../support/cluster/link-settings.ts'
import { openConnectedCaller, until } from './link-fixture.ts'

const count = 3_000

async function startOwner(context: TestContext) {
  const markets: string[] = []
  const server = new LinkServer({
    identity: identityOf({ nodeId: 'owner' }),
    secretsKey: Buffer.from('secret'),
    tls: null,
    handlers: {
      submitAll: () => [],
      ownedShards: () => [],
      onInterest: (_, { id }) => markets.push(id),
    },
    log: createLog({ level: 'silent' }),
  })
  const port = await server.listen('127.0.0.1:0')
  context.after(() => server.stop())
  return { markets, address: `127.0.0.1:${port}` }
}

test('of thousands of interests that begin at once, every one comes in force', async (context) => {
  const { address, markets } = await startOwner(context)
  const { link, links } = await openConnectedCaller({ address })
  context.after(() => links.close())
  const routes = new RouteTable()
  routes.setOwner(0, { nodeId: 'owner', epoch: 1 })
  const inForce: string[] = []
  const interests = new Interests({
    routes,
    isLocal: () => false,
    source: () => link,
    receiver: {
      deliverRemote: () => {},
      onMissing: () => {},
      resync: () => {},
      onInForce: ({ id }) => {
        if (markets.includes(id)) inForce.push(id)
      },
    },
  })
  const ids = Array.from({ length: count }, (_, number) => `market ${number}`)
  for (const id of ids) interests.begin({ shard: 0, kind: 'market', id })
  await until(() => inForce.length >= count, 'all interests are in force')
  deepEqual(inForce, ids)
})
