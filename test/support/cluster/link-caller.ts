// A process that calls an owner: it prints what it receives. Run by link-process.ts.

import { Links } from '../../../src/cluster/link/links.ts'
import { createLog } from '../../../src/ops/log.ts'
import { identityOf } from './link-settings.ts'

const { address, nodeId } = JSON.parse(process.argv[2]!) as { address: string; nodeId: string }
let turns = 0
const print = (line: string) => process.stdout.write(`${line}\n`)

const links = new Links({
  identity: identityOf({ nodeId }),
  secretsKey: Buffer.from('secret'),
  tls: null,
  log: createLog({ level: 'info' }),
  events: {
    onRoutes: () => {},
    onConnected: () => links.get('owner')!.sendInterest({ shard: 0, kind: 'market', id: 'm' }),
    onTurn: () => {
      turns += 1
      print(`turn ${turns}`)
    },
    onResync: () => print(`resync after ${turns} turns`),
    onTokens: (_, granted) => print(`tokens ${granted} after ${turns} turns`),
  },
})
links.setNodes([{ nodeId: 'owner', address }])
// Only the links' timers would not keep it running.
setInterval(() => {}, 1_000)
