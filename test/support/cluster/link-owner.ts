// A process that owns shards and answers the links of others; run by link-process.ts. The shard of
// a command says how it ends.

import { LinkServer } from '../../../src/cluster/link/link-server.ts'
import { outcomesOf } from '../../../src/cluster/link/outcomes.ts'
import type { LinkHandlers } from '../../../src/cluster/link/server-link.ts'
import type { PlaceAnswer, PlaceOrder } from '../../../src/engine/commands.ts'
import {
  type CommandKind,
  CommitUnknown,
  NotOwner,
  Unavailable,
} from '../../../src/engine/commands.ts'
import { createLog } from '../../../src/ops/log.ts'
import { identityOf, type OwnerSettings, shards } from './link-settings.ts'

const settings = JSON.parse(process.argv[2]!) as OwnerSettings

let answered = 0
let epoch = 1

async function resultOf(shard: number, kind: CommandKind, command: unknown): Promise<never> {
  if (shard === shards.silent) return new Promise<never>(() => {})
  if (shard === shards.unavailable) throw new Unavailable('the queue is full')
  if (shard === shards.unknown) throw new CommitUnknown('the commit is unknown')
  if (shard === shards.moved) throw new NotOwner()
  if (shard === shards.broken) throw new TypeError('a bug')
  if (kind !== 'place') {
    return { isAccepted: true, answer: { cancelled: ++answered } } as never
  }
  return { isAccepted: true, answer: answerTo(command as PlaceOrder), cost: 1 } as never
}

function answerTo(command: PlaceOrder): PlaceAnswer {
  return {
    order: {
      id: '01900000-0000-7000-8000-000000000001',
      marketId: '01900000-0000-7000-8000-000000000002',
      outcomeId: '01900000-0000-7000-8000-000000000003',
      operatorId: command.operatorId,
      playerId: command.playerId,
      side: command.side,
      type: command.type,
      shares: command.shares,
      price: command.price,
      filled: 0,
      cost: 0,
      remaining: command.shares,
      status: 'PENDING',
      options: { timeInForce: 'GTC', isPostOnly: false, selfTradePrevention: 'NONE' },
      transactionId: command.transactionId,
      orderGroupId: null,
      expiresAt: command.expiresAt,
      createdAt: ++answered,
      updatedAt: answered,
    },
    trades: [],
    hasMoreTrades: false,
    isReplay: false,
  }
}

const handlers: LinkHandlers = {
  submitAll: (shard, kind, commands) =>
    outcomesOf(
      commands.map((command) => resultOf(shard, kind, command)),
      () => ({ nodeId: 'c', epoch: 7 }),
    ),
  ownedShards: () => [[shards.answering, epoch, 3_000]],
  onInterest: (link, interest) => {
    link.sendTurn({ shard: interest.shard, records: [interest], trades: [] })
  },
  // "cpu" reads the CPU time, "claim" raises the epoch.
  onTokens: (link, wanted) => {
    if (wanted === 'claim') {
      epoch += 1
      server.announce()
    }
    const { user, system } = process.cpuUsage()
    link.sendTokens({ answered, cpuMicros: user + system })
  },
}

const server = new LinkServer({
  identity: identityOf({ nodeId: 'owner', ...settings.identity }),
  secretsKey: Buffer.from(settings.secret ?? 'secret'),
  tls: null,
  handlers,
  log: createLog({ level: 'info' }),
})
const port = await server.listen(settings.address)
process.stdout.write(`listening ${port}\n`)
process.on('SIGTERM', async () => {
  await server.stop()
  process.exit(0)
})
