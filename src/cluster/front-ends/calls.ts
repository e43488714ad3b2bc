// What the primary process and its front ends can call of each other.

import type {
  AuditStore,
  Beat,
  BeatAnswer,
  KeptAnswerStore,
  KeyRow,
  KeyUseStore,
  NodeAbout,
  NodeRow,
  OperatorRow,
  RegistryChanges,
  RegistryKind,
  ShardState,
} from '../../store/store.ts'

/** What a front end needs to begin. */
export type FrontEndStart = {
  /** Its number, from 1; a process that replaces another has the same. */
  readonly number: number
  /** The front end as a node. */
  readonly nodeId: string
  readonly incarnation: string
  /** The logical time. */
  readonly now: number
  /** Where an earlier front end listens; null for the first. */
  readonly listening: Listening | null
}

export type Listening = {
  readonly url: string
  readonly port: number
  readonly grpcPort: number
}

export type PrimaryCalls = LifecycleCalls & StoreCalls & { metrics(): Promise<string> }

export type LifecycleCalls = {
  begin(): FrontEndStart
  onListening(where: Listening): void
  /** The front end cannot start: the line to print, and the exit code. */
  onFailed(line: string, code: number): void
}

/** On SQLite, which only the primary writes. */
export type StoreCalls = {
  join(about: NodeAbout, beat: Beat): Promise<void>
  beat(beat: Beat): Promise<BeatAnswer>
  nodes(): Promise<readonly NodeRow[]>
  drain(node: string): Promise<boolean>
  registrySeenByOthers(): Promise<number | null>
  leave(): Promise<void>
  shards(): Promise<readonly ShardState[]>
  /** Until a front end can read what is committed now. */
  untilReadable(): Promise<void>
  pin(shard: number, nodeId: string | null): Promise<void>
  registryVersion(): Promise<number>
  changesSince(version: number): Promise<RegistryChanges | null>
  put(kind: RegistryKind, row: { readonly id: string }, decidedOn?: number): Promise<number>
  delete(kind: RegistryKind, id: string, decidedOn?: number): Promise<number>
  addOperator(operator: OperatorRow, key: KeyRow, decidedOn?: number): Promise<number>
  beginKept: KeptAnswerStore['begin']
  renewKept: KeptAnswerStore['renew']
  finishKept: KeptAnswerStore['finish']
  dropKept: KeptAnswerStore['drop']
  keptSince: KeptAnswerStore['answersSince']
  pruneKept: KeptAnswerStore['prune']
  writeAudit: AuditStore['write']
  pruneAudit: AuditStore['prune']
  saveKeyUses: KeyUseStore['save']
}

export type FrontEndCalls = {
  /** Answers what it has read, and ends. */
  stop(): void
  onRegistryChanged(): void
  /** Of this process. */
  metrics(): Promise<string>
}
