// What a command needs from the store before or after its turn: a market that has left the
// memory, a settlement, an earlier request under the same transactionId, a closed order.

import type { RecordStore, Replayable } from '../../store/store.ts'
import type { CancelAsk, CommandKind } from '../commands.ts'
import { refused } from '../perform.ts'
import type { Waiting } from '../queue.ts'
import type { KeyWatch, Shard } from '../shard.ts'
import type { Need } from '../turn.ts'
import { isInForce, replay } from './replay.ts'

export type FetcherOptions = {
  readonly shard: Shard
  readonly reads: RecordStore
  readonly now: () => number
  /** When the turns that are on their way to the store have arrived. */
  readonly landed: () => Promise<void>
  readonly putBack: (waiting: Waiting) => void
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

  fetch(waiting: Waiting, need: Need): void {
    const fetched =
      need === 'MARKET'
        ? this.#fetchMarket(waiting)
        : need === 'SETTLEMENT'
          ? this.#fetchSettlement(waiting)
          : this.#fetchReplay(waiting)
    fetched.catch(waiting.reject)
  }

  async #fetchMarket(waiting: Waiting): Promise<void> {
    const { putBack, reads, shard } = this.#options
    const record = await reads.marketRecord(waiting.marketId!)
    waiting.marketSoughtIn = shard.generation
    if (record !== null) shard.bringBack(record)
    putBack(waiting)
  }

  async #fetchSettlement(waiting: Waiting): Promise<void> {
    const { landed, putBack, reads, shard } = this.#options
    const { ask, operatorId } = waiting
    await landed()
    const operator = shard.numberById(operatorId!)!
    const serial = 'settlementId' in ask ? ask.settlementId : 0
    const settlement = await reads.settlement(operator, serial)
    waiting.settlement = settlement
    waiting.marketId = settlement?.market ?? null
    putBack(waiting)
  }

  // The earlier request may be on its way to the store: when it has arrived, or failed to, the
  // store can tell. A key that it does not know, or that is out of force, is free, unless somebody
  // uses it before this command has its turn.
  async #fetchReplay(waiting: Waiting): Promise<void> {
    const { putBack, reads, shard } = this.#options
    const keyed = waiting.keyed!
    const operator = shard.numberById(keyed.operatorId)!
    const watch = shard.watchKey(operator, keyed.transactionId!)
    try {
      const found = await this.#findKey(watch)
      if (found === null) {
        waiting.freeKey = watch
        putBack(waiting)
        return
      }
      const { ids } = shard.exchange
      waiting.resolve(await replay({ ids, reads, operator }, keyed, found))
    } finally {
      if (waiting.freeKey === null) shard.endWatch(watch)
    }
  }

  // Asked again where the key was used while the store was looking.
  async #findKey(watch: KeyWatch): Promise<Replayable | null> {
    const { landed, now, reads } = this.#options
    for (;;) {
      watch.isUsed = false
      await landed()
      const found = await reads.byTransactionId(watch.operator, watch.transactionId)
      if (found !== null && isInForce(found, now())) return found
      if (!watch.isUsed) return null
    }
  }

  /** An order that the memory does not know may be one that was closed before. */
  afterClosed(
    kind: CommandKind,
    ask: object,
    resolve: Waiting['resolve'],
    reject: Waiting['reject'],
  ): Waiting['resolve'] {
    const code = codesOfClosed[kind]
    if (code === undefined) return resolve
    return (result) => {
      if (result.isTaken || result.reject.code !== 'ORDER_NOT_FOUND') resolve(result)
      else this.#lookForClosed(ask as CancelAsk, code).then(resolve, reject)
    }
  }

  async #lookForClosed({ operatorId, orderId }: CancelAsk, code: CodeOfClosed) {
    const { reads, shard } = this.#options
    const order = await reads.order(shard.numberById(operatorId)!, orderId)
    if (order === null) return refused({ code: 'ORDER_NOT_FOUND' })
    return refused({ code, status: order.status })
  }
}
