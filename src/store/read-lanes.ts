// The lanes of a store, which its shards share. The service reads in a lane of its own, so that a
// repeated request, a webhook or a stream never waits for the list of a caller. Reads that may take
// seconds have a lane of their own, too.

import { type LaneLimits, type LaneReader, ReadLane } from './read-lane.ts'
import { recordReads } from './record-reads.ts'
import type { ReadAnswer, ReadArgument, ReadName } from './sql/readings.ts'
import type {
  LaneName,
  ReadCaller,
  ReadMetrics,
  ReadParty,
  ReadsFor,
  RecordStore,
} from './store.ts'

export type RecordReader = LaneReader & {
  read<Name extends ReadName>(
    shard: number,
    name: Name,
    argument: ReadArgument<Name>,
    mustSee?: number,
  ): Promise<ReadAnswer<Name>>
}

const laneLimits: Readonly<Record<LaneName, LaneLimits>> = {
  // A second of requests at the usual rate limits may wait.
  callers: { waitingMax: 2_000, waitingOfAddressMax: 500, waitMsMax: 1_000, deadlineMs: 10_000 },
  service: { waitingMax: 10_000, waitingOfAddressMax: 1, waitMsMax: 5_000, deadlineMs: 10_000 },
  long: { waitingMax: 4, waitingOfAddressMax: 1, waitMsMax: 60_000, deadlineMs: 120_000 },
}

const longReads: ReadonlySet<ReadName> = new Set([
  ...(['reconciliation', 'settlementSums', 'dailyTotals'] as const),
])

type RecordRead<Name extends ReadName> = {
  readonly shard: number
  readonly name: Name
  readonly argument: ReadArgument<Name>
}

type LanesOptions<Reader> = {
  readonly readers: Readonly<Record<LaneName, readonly Reader[]>>
  readonly metrics?: ReadMetrics | undefined
  /** Waited for before each read of records, by many reads at once. */
  readonly untilReadable?: (() => Promise<void>) | undefined
  /** The last command that a read must see: its reader waits for it. */
  readonly mustSee?: (() => number) | undefined
}

export class ReadLanes<Reader extends RecordReader> {
  readonly #lanes: Readonly<Record<LaneName, ReadLane<Reader>>>
  readonly #untilReadable: (() => Promise<void>) | null
  readonly #mustSee: () => number

  constructor({ readers, metrics, untilReadable, mustSee }: LanesOptions<Reader>) {
    this.#untilReadable = untilReadable ?? null
    this.#mustSee = mustSee ?? (() => 0)
    const lane = (name: LaneName) =>
      new ReadLane({ name, readers: readers[name], limits: laneLimits[name], metrics })
    this.#lanes = { callers: lane('callers'), service: lane('service'), long: lane('long') }
  }

  /** The reads of a shard, in the lane of the service. */
  readsOf(shard: number): RecordStore {
    return recordReads((name, argument, operatorNumber) => {
      const party = operatorNumber ?? partyOf(argument)
      return this.#run(ofService(party), 'service', { shard, name, argument })
    })
  }

  /** The reads of a shard for its callers. */
  readsForCallers(shard: number): ReadsFor {
    return (caller) =>
      recordReads((name, argument) => this.#run(caller, 'callers', { shard, name, argument }))
  }

  /** Another read of the service, such as that of the registry at the start. */
  readForService<Answer>(read: (reader: Reader) => Promise<Answer>): Promise<Answer> {
    const caller: ReadCaller = { ...ofService(noOperator), hasNoDeadline: true }
    return this.#lanes.service.run(caller, read)
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#lanes).map((lane) => lane.close()))
  }

  #run<Name extends ReadName>(
    caller: ReadCaller,
    usual: LaneName,
    { shard, name, argument }: RecordRead<Name>,
  ): Promise<ReadAnswer<Name>> {
    const lane = this.#lanes[longReads.has(name) ? 'long' : usual]
    const mustSee = this.#mustSee()
    const read = (reader: Reader) => reader.read(shard, name, argument, mustSee)
    return lane.run(caller, read, this.#untilReadable)
  }
}

/** No operator has this number. */
const noOperator = 0

// In the lane of the service, operators are served in round robin, too.
function ofService(party: ReadParty): ReadCaller {
  return { party, isGone: () => false }
}

function partyOf(argument: unknown): ReadParty {
  const hasOperator =
    typeof argument === 'object' && argument !== null && 'operatorNumber' in argument
  return hasOperator ? Number(argument.operatorNumber) : noOperator
}
