// The registry, the nodes and the shards as a front end on SQLite uses them: it asks the primary
// process, which alone writes. Whole tables are read from the database.

import {
  type AuditStore,
  type Collection,
  CommitFailure,
  type KeptAnswerStore,
  type KeyUseStore,
  type NodeAbout,
  type NodeStore,
  type RegistryKind,
  type RegistryStore,
  type ShardDirectory,
} from '../../store/store.ts'
import type { PrimaryCalls } from './calls.ts'
import { type Channel, NoAnswer } from './channel.ts'
import { withOneOwner } from './local-cluster.ts'

export type Primary = Pick<Channel<PrimaryCalls>, 'call'>

/** `tables` reads what is stored. */
export function remoteRegistry(primary: Primary, tables: RegistryStore): RegistryStore {
  const collection = <Row extends { readonly id: string }>(
    kind: RegistryKind,
    { all }: Pick<Collection<Row>, 'all'>,
  ): Collection<Row> => ({
    all,
    put: (row, decidedOn) => written(primary.call('put', kind, row, decidedOn)),
    delete: (id, decidedOn) => written(primary.call('delete', kind, id, decidedOn)),
  })
  return {
    operators: collection('operators', tables.operators),
    keys: collection('keys', tables.keys),
    categories: collection('categories', tables.categories),
    webhooks: collection('webhooks', tables.webhooks),
    brakes: collection('brakes', tables.brakes),
    addOperator: (operator, key, decidedOn) =>
      written(primary.call('addOperator', operator, key, decidedOn)),
    version: () => primary.call('registryVersion'),
    changesSince: (version) => primary.call('changesSince', version),
  }
}

async function written(answer: Promise<number>): Promise<number> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    throw new CommitFailure(error.message, { outcome: 'unknown', cause: error })
  }
}

export function remoteKeptAnswers(primary: Primary): KeptAnswerStore {
  return {
    begin: (request) => primary.call('beginKept', request),
    renew: (attempt, busyUntil) => primary.call('renewKept', attempt, busyUntil),
    finish: (attempt, answer) => primary.call('finishKept', attempt, answer),
    drop: (attempt) => primary.call('dropKept', attempt),
    answersSince: (requests) => primary.call('keptSince', requests),
    prune: (before, atMost) => primary.call('pruneKept', before, atMost),
  }
}

export function remoteAudit(primary: Primary): AuditStore {
  return {
    write: (changes) => primary.call('writeAudit', changes),
    prune: (before, atMost) => primary.call('pruneAudit', before, atMost),
  }
}

export function remoteKeyUses(primary: Primary): KeyUseStore {
  return { save: (uses) => primary.call('saveKeyUses', uses) }
}

/** `listen` receives what to call when the registry has changed at the primary. */
export function remoteNodes(
  primary: Primary,
  about: NodeAbout,
  listen: (onChange: () => void) => void,
): NodeStore {
  return {
    join: (beat) => primary.call('join', about, beat),
    beat: (beat) => primary.call('beat', beat),
    list: () => primary.call('nodes'),
    registrySeenByOthers: () => primary.call('registrySeenByOthers'),
    drain: (node) => primary.call('drain', node),
    prune: async () => {},
    leave: () => primary.call('leave'),
    listen,
    close: async () => {},
  }
}

export function remoteDirectory(primary: Primary): ShardDirectory {
  return {
    list: () => primary.call('shards'),
    pin: (shard, nodeId) => primary.call('pin', shard, nodeId),
    ...withOneOwner,
  }
}
