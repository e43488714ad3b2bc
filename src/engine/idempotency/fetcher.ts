// Reads what a command needs from the store before or after its turn: a market that is not in
// memory, a settlement, an earlier command with the same transactionId, a closed order.

import type { Serial } from '../../core/ids.ts'
import type { MarketRecord } from '../../core/snapshot/records.ts'
import type { RecordStore, Replayable } from '../../store/store.ts'
import type { CancelOrder, CommandKind } from '../commands.ts'
import { rejected } from '../execute.ts'
import type { QueuedCommand } from '../queue.ts'
import type { KeyLookup, Shard } from '../shard.ts'
import type { FetchKind } from '../turn.ts'
import { isReplayable, replay } from './replay.ts'
import { ReplayQueues } from './replay-queues.ts'

export type FetcherOptions = {
  readonly shard: Shard
  readonly reads: RecordStore
  readonly now: () => number
  /** Resolves when every turn that is in flight now is committed or has failed. */
  readonly whenInFlightDone: () => Promise<void>
  readonly requeue: (queued: QueuedCommand) => void
}

type ClosedOrderCode = 'ORDER_CANNOT_CANCEL' | 'ORDER_CANNOT_AMEND'

/** The code with which a command about a closed order is rejected. */
const closedOrderCodes: Readonly<Partial<Record<CommandKind, ClosedOrderCode>>> = {
  cancel: 'ORDER_CANNOT_CANCEL',
  amend: 'ORDER_CANNOT_AMEND',
}

export class Fetcher {
  readonly #options: FetcherOptions
  /** Reads of markets that are under way, by operator and market. */
  readonly #marketReads = new Map<string, Promise<MarketRecord | null>>()
  readonly #replays = new ReplayQueues()

  constructor(options: FetcherOptions) {
    this.#options = options
  }

  fetch(queued: QueuedCommand, kind: FetchKind): void {
    const fetched =
      kind === 'MARKET'
        ? this.#fetchMarket(queued)
        : kind === 'SETTLEMENT'
          ? this.#fetchSettlement(queued)
          : this.#replays.run(queued.keyed!.operatorId, () => this.#fetchReplay(queued))
    fetched.catch(queued.reject)
  }

  async #fetchMarket(queued: QueuedCommand): Promise<void> {
    const { requeue, shard } = this.#options
    const record = await this.#marketRecord(queued)
    queued.marketFetchGeneration = shard.generation
    if (record !== null) shard.reloadMarket(record)
    requeue(queued)
  }

  // Read once for all commands of an operator that wait for it: it may have thousands of failed
  // settlements.
  #marketRecord({ operatorId, marketSerial }: QueuedCommand): Promise<MarketRecord | null> {
    const { reads, shard } = this.#options
    const key = `${operatorId} ${marketSerial}`
    const pending = this.#marketReads.get(key)
    if (pending !== undefined) return pending
    const operatorNumber = operatorId === null ? undefined : shard.numberById(operatorId)
    const read = reads.marketRecord(marketSerial!, operatorNumber).finally(() => {
      this.#marketReads.delete(key)
    })
    this.#marketReads.set(key, read)
    return read
  }

  async #fetchSettlement(queued: QueuedCommand): Promise<void> {
    const { reads, requeue, shard, whenInFlightDone } = this.#options
    const { command, operatorId } = queued
    await whenInFlightDone()
    const operatorNumber = shard.numberById(operatorId!)!
    const serial = 'settlementSerial' in command ? command.settlementSerial : (0 as Serial)
    const settlement = await reads.settlement(operatorNumber, serial)
    queued.settlement = settlement
    queued.marketSerial = settlement?.marketSerial ?? null
    requeue(queued)
  }

  // A key that is not in the store, or that has expired, is free, unless another command uses it
  // before this one is executed.
  async #fetchReplay(queued: QueuedCommand): Promise<void> {
    const { reads, requeue, shard } = this.#options
    const keyed = queued.keyed!
    const operatorNumber = shard.numberById(keyed.operatorId)!
    const lookup = shard.startKeyLookup(operatorNumber, keyed.transactionId!)
    try {
      const found = await this.#findKey(lookup)
      if (found === null) {
        queued.keyLookup = lookup
        requeue(queued)
        return
      }
      const { ids } = shard.exchange
      queued.resolve(await replay({ ids, reads, operatorNumber }, keyed, found))
    } finally {
      if (queued.keyLookup === null) shard.endKeyLookup(lookup)
    }
  }

  // The earlier command may be in flight, so its commit has to finish before the store is read. The
  // store is read again if the key was used meanwhile.
  async #findKey(lookup: KeyLookup): Promise<Replayable | null> {
    const { now, reads, whenInFlightDone } = this.#options
    for (;;) {
      lookup.isStale = false
      await whenInFlightDone()
      const found = await reads.byTransactionId(lookup.operatorNumber, lookup.transactionId)
      if (found !== null && isReplayable(found, now())) return found
      if (!lookup.isStale) return null
    }
  }

  /**
   * Wraps `resolve` for commands about one order: an order that is not in memory may be closed, and
   * is then rejected with its status instead of ORDER_NOT_FOUND.
   */
  withClosedOrders(
    kind: CommandKind,
    command: object,
    resolve: QueuedCommand['resolve'],
    reject: QueuedCommand['reject'],
  ): QueuedCommand['resolve'] {
    const code = closedOrderCodes[kind]
    if (code === undefined) return resolve
    return (result) => {
      if (result.isAccepted || result.reject.code !== 'ORDER_NOT_FOUND') resolve(result)
      else this.#rejectClosed(command as CancelOrder, code).then(resolve, reject)
    }
  }

  async #rejectClosed({ operatorId, orderSerial }: CancelOrder, code: ClosedOrderCode) {
    const { reads, shard } = this.#options
    const order = await reads.order(shard.numberById(operatorId)!, orderSerial)
    if (order === null) return rejected({ code: 'ORDER_NOT_FOUND' })
    return rejected({ code, status: order.status })
  }
}
