// What a command needs from the store before or after its turn: a market that has left the
// memory, a settlement, an earlier request under the same transactionId, a closed order.

import type { RecordStore, Replayable } from '../../store/store.ts'
import type { CancelOrder, CommandKind } from '../commands.ts'
import { refused } from '../execute.ts'
import type { QueuedCommand } from '../queue.ts'
import type { KeyWatch, Shard } from '../shard.ts'
import type { Need } from '../turn.ts'
import { isInForce, replay } from './replay.ts'

export type FetcherOptions = {
  readonly shard: Shard
  readonly reads: RecordStore
  readonly now: () => number
  /** When the turns that are on their way to the store have arrived. */
  readonly committed: () => Promise<void>
  readonly putBack: (queued: QueuedCommand) => void
}

type CodeOfClosed = 'ORDER_CANNOT_CANCEL' | 'ORDER_CANNOT_AMEND'

/** How a command about an order is refused where the order is closed. */
const codesOfClosed: Readonly<Partial<Record<CommandKind, CodeOfClosed>>> = {
  cancel: 'ORDER_CANNOT_CANCEL',
  amend: 'ORDER_CANNOT_AMEND',
}

export class Fetcher {
  readonly #options: FetcherOptions

  constructor(options: FetcherOptions) {
    this.#options = options
  }

  fetch(queued: QueuedCommand, need: Need): void {
    const fetched =
      need === 'MARKET'
        ? this.#fetchMarket(queued)
        : need === 'SETTLEMENT'
          ? this.#fetchSettlement(queued)
          : this.#fetchReplay(queued)
    fetched.catch(queued.reject)
  }

  async #fetchMarket(queued: QueuedCommand): Promise<void> {
    const { putBack, reads, shard } = this.#options
    const record = await reads.marketRecord(queued.marketSerial!)
    queued.marketSoughtIn = shard.generation
    if (record !== null) shard.bringBack(record)
    putBack(queued)
  }

  async #fetchSettlement(queued: QueuedCommand): Promise<void> {
    const { committed, putBack, reads, shard } = this.#options
    const { command, operatorId } = queued
    await committed()
    const operator = shard.numberById(operatorId!)!
    const serial = 'settlementSerial' in command ? command.settlementSerial : 0
    const settlement = await reads.settlement(operator, serial)
    queued.settlement = settlement
    queued.marketSerial = settlement?.market ?? null
    putBack(queued)
  }

  // The earlier request may be on its way to the store: when it has arrived, or failed to, the
  // store can tell. A key that it does not know, or that is out of force, is free, unless somebody
  // uses it before this command has its turn.
  async #fetchReplay(queued: QueuedCommand): Promise<void> {
    const { putBack, reads, shard } = this.#options
    const keyed = queued.keyed!
    const operator = shard.numberById(keyed.operatorId)!
    const watch = shard.watchKey(operator, keyed.transactionId!)
    try {
      const found = await this.#findKey(watch)
      if (found === null) {
        queued.freeKey = watch
        putBack(queued)
        return
      }
      const { ids } = shard.exchange
      queued.resolve(await replay({ ids, reads, operator }, keyed, found))
    } finally {
      if (queued.freeKey === null) shard.endWatch(watch)
    }
  }

  // Asked again where the key was used while the store was looking.
  async #findKey(watch: KeyWatch): Promise<Replayable | null> {
    const { committed, now, reads } = this.#options
    for (;;) {
      watch.isUsed = false
      await committed()
      const found = await reads.byTransactionId(watch.operator, watch.transactionId)
      if (found !== null && isInForce(found, now())) return found
      if (!watch.isUsed) return null
    }
  }

  /** An order that the memory does not know may be one that was closed before. */
  afterClosed(
    kind: CommandKind,
    command: object,
    resolve: QueuedCommand['resolve'],
    reject: QueuedCommand['reject'],
  ): QueuedCommand['resolve'] {
    const code = codesOfClosed[kind]
    if (code === undefined) return resolve
    return (result) => {
      if (result.isAccepted || result.reject.code !== 'ORDER_NOT_FOUND') resolve(result)
      else this.#findClosed(command as CancelOrder, code).then(resolve, reject)
    }
  }

  async #findClosed({ operatorId, orderSerial }: CancelOrder, code: CodeOfClosed) {
    const { reads, shard } = this.#options
    const order = await reads.order(shard.numberById(operatorId)!, orderSerial)
    if (order === null) return refused({ code: 'ORDER_NOT_FOUND' })
    return refused({ code, status: order.status })
  }
}
