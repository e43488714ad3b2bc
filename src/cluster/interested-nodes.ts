// The owner's side of interests: which nodes want to receive the turns of which markets and
// operators. An interest belongs to a link and ends with it.

import {
  type CommittedTurn,
  type PublishedRecord,
  publicTypes,
  publishedRecordOf,
} from '../core/events/committed-turn.ts'
import type { EventRecord } from '../core/events/events.ts'
import type { Interest, TurnMessage } from './link/messages.ts'
import { encodeTurn } from './turn-codec.ts'

/** Of one link in one shard; past it, the node receives every turn of the shard. */
export const interestsMax = 10_000

type Receiver = { sendTurn(turn: TurnMessage): void }

type Wanted = {
  readonly markets: Set<string>
  readonly operators: Set<string>
  /** Everything; it stays so until the link ends. */
  isAll: boolean
}

export class InterestedNodes<Link extends Receiver> {
  /** By shard and link. */
  readonly #shards = new Map<number, Map<Link, Wanted>>()

  add(link: Link, { shard, kind, id }: Interest): void {
    const links = this.#shards.get(shard) ?? new Map<Link, Wanted>()
    const wanted = links.get(link) ?? { markets: new Set(), operators: new Set(), isAll: false }
    this.#shards.set(shard, links)
    links.set(link, wanted)
    if (wanted.markets.size + wanted.operators.size >= interestsMax) wanted.isAll = true
    else wantedOf(wanted, kind).add(id)
  }

  delete(link: Link, { shard, kind, id }: Interest): void {
    const wanted = this.#shards.get(shard)?.get(link)
    if (wanted === undefined) return
    wantedOf(wanted, kind).delete(id)
    const isEmpty = wanted.markets.size + wanted.operators.size === 0
    if (isEmpty && !wanted.isAll) this.#deleteLink(shard, link)
  }

  /** The link has ended. */
  deleteAll(link: Link): void {
    for (const shard of [...this.#shards.keys()]) this.#deleteLink(shard, link)
  }

  /** Called with each committed turn. */
  publish(shard: number, turn: CommittedTurn): void {
    const links = this.#shards.get(shard)
    if (links === undefined) return
    // What several nodes want is made once.
    const made = new Map<EventRecord, PublishedRecord>()
    for (const [link, wanted] of links) {
      const records: PublishedRecord[] = []
      for (const eventRecord of turn.eventRecords) {
        if (!isWanted(wanted, eventRecord)) continue
        const record = made.get(eventRecord) ?? publishedRecordOf(eventRecord)
        made.set(eventRecord, record)
        records.push(record)
      }
      const { isAll, markets } = wanted
      const trades = turn.trades.filter(({ marketId }) => isAll || markets.has(marketId))
      if (records.length + trades.length > 0) link.sendTurn(encodeTurn(shard, { records, trades }))
    }
  }

  #deleteLink(shard: number, link: Link): void {
    const links = this.#shards.get(shard)
    links?.delete(link)
    if (links?.size === 0) this.#shards.delete(shard)
  }
}

function wantedOf({ markets, operators }: Wanted, kind: Interest['kind']): Set<string> {
  return kind === 'market' ? markets : operators
}

function isWanted({ isAll, markets, operators }: Wanted, record: EventRecord): boolean {
  const { market, operator, types } = record
  if (isAll || operators.has(operator.id)) return true
  return market !== null && (types & publicTypes) !== 0 && markets.has(market.id)
}
