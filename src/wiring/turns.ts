// Connects the outbox of a node with the turns that other nodes commit.

import type { TurnReceiver } from '../cluster/interests.ts'
import type { ClusterNode } from '../cluster/node.ts'
import { Ids } from '../core/ids.ts'
import type { Outbox, RemoteTurns } from '../feed/outbox.ts'
import { storedTape } from '../feed/stored-tape.ts'
import type { Store } from '../store/store.ts'

export function receiverOf(outbox: Outbox, store: Store): TurnReceiver {
  const ids = idsOf(store)
  return {
    deliverRemote: (shard, turn) => outbox.deliverRemote(turn, ids[shard]!),
    onMissing: (shard) => outbox.onMissing(shard),
    resync: (shard) => outbox.resync(shard),
    onInForce: (interest) => outbox.onInForce(interest),
  }
}

export function remoteTurns({ interests }: ClusterNode, store: Store): RemoteTurns {
  const ids = idsOf(store)
  return {
    begin: (interest) => interests.begin(interest),
    end: (interest) => interests.end(interest),
    isInForce: (interest) => interests.isInForce(interest),
    tape: storedTape((shard) => ({ ids: ids[shard]!, reads: store.shards[shard]!.reads })),
  }
}

function idsOf({ shards }: Store): readonly Ids[] {
  return shards.map(({ shard, idKey: key }) => new Ids({ shard, key }))
}
