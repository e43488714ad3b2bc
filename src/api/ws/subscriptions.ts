// The subscriptions of one connection to public channels.

import { shardOfId } from '../../core/ids.ts'
import type { ListenedOutcome } from '../../feed/outbox.ts'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import { Refusal } from '../errors.ts'
import { type PublicChannel, publicChannels } from './client-messages.ts'
import type { StreamContext } from './context.ts'
import { OutcomeView } from './outcome-view.ts'
import type { SendBuffer } from './send-buffer.ts'
import type { Outcome, Snapshots } from './snapshots.ts'

/** One channel of one market is a subscription; the number of outcomes is limited as well. */
const subscriptionsMax = 200
const topicsMax = 2_000

type Request = {
  readonly channels: readonly PublicChannel[]
  readonly marketIds: readonly string[]
  readonly outcomeIds: readonly string[] | null
}

/** null matches any. */
type Filter = {
  readonly channels: readonly PublicChannel[]
  readonly marketIds: readonly string[] | null
  readonly outcomeIds: readonly string[] | null
}

/** By shard: see the outbox. */
type TapeStarts = ReadonlyMap<number, number>

type Entry = Outcome & {
  readonly channel: PublicChannel
  readonly view: OutcomeView | null
  readonly stop: () => void
}

export type SubscriptionsOptions = {
  readonly outbox: StreamContext['outbox']
  readonly snapshots: Snapshots
  readonly sendBuffer: SendBuffer
  readonly reportFailure: ReportFailure
}

const tooMany = new Refusal(
  'SUBSCRIPTION_LIMIT',
  `A connection may have at most ${subscriptionsMax} subscriptions, one per channel and market, ` +
    `with at most ${topicsMax} outcomes in all.`,
)
const noMarkets = new Refusal(
  'VALIDATION_ERROR',
  'marketIds: is required with the channels orderbook, prices and trades',
)
const noOutcome = new Refusal(
  'OUTCOME_NOT_FOUND',
  'outcomeIds: contains an outcome that is not in these markets',
)

export class Subscriptions {
  readonly #options: SubscriptionsOptions
  /** By channel and outcome. */
  readonly #entries = new Map<string, Entry>()

  constructor(options: SubscriptionsOptions) {
    this.#options = options
  }

  /** The outcomes to subscribe to; does not subscribe yet. */
  async find({ channels, marketIds, outcomeIds }: Request): Promise<Outcome[] | Refusal> {
    if (channels.length === 0) return []
    if (marketIds.length === 0) return noMarkets
    const { snapshots } = this.#options
    const found: Outcome[] = []
    for (const market of await Promise.all(marketIds.map((id) => snapshots.outcomesOf(id)))) {
      if (market instanceof Refusal) return market
      for (const { marketId, outcomeId } of market) found.push({ marketId, outcomeId })
    }
    if (outcomeIds === null) return this.#isWithinLimits(channels, found) ? found : tooMany
    const wanted = new Set(outcomeIds.map((id) => id.toLowerCase()))
    const chosen = found.filter(({ outcomeId }) => wanted.has(outcomeId))
    if (chosen.length < wanted.size) return noOutcome
    return this.#isWithinLimits(channels, chosen) ? chosen : tooMany
  }

  #isWithinLimits(channels: readonly PublicChannel[], outcomes: readonly Outcome[]): boolean {
    const topics = new Set(this.#entries.keys())
    const markets = new Set<string>()
    for (const { channel, marketId } of this.#entries.values()) markets.add(channel + marketId)
    for (const channel of channels) {
      for (const { marketId, outcomeId } of outcomes) {
        topics.add(channel + outcomeId)
        markets.add(channel + marketId)
      }
    }
    return topics.size <= topicsMax && markets.size <= subscriptionsMax
  }

  /** How many topics are not subscribed to yet. */
  countNew(channels: readonly PublicChannel[], outcomes: readonly Outcome[]): number {
    let count = 0
    for (const { outcomeId } of outcomes) {
      for (const channel of channels) if (!this.#entries.has(channel + outcomeId)) count += 1
    }
    return count
  }

  /** Where the trades begin: to be read before the subscription is answered. */
  async tapeStarts(
    channels: readonly PublicChannel[],
    outcomes: readonly Outcome[],
  ): Promise<TapeStarts> {
    return channels.includes('trades') ? this.#options.outbox.tapeStarts(outcomes) : new Map()
  }

  /** Subscribes; an existing subscription continues as it is. */
  begin(
    channels: readonly PublicChannel[],
    outcomes: readonly Outcome[],
    starts: TapeStarts,
  ): void {
    for (const outcome of outcomes) {
      const after = starts.get(shardOfId(outcome.marketId) ?? 0)
      for (const channel of channels) this.#begin(channel, { ...outcome, after })
    }
  }

  #begin(channel: PublicChannel, { after, ...outcome }: ListenedOutcome): void {
    const name = channel + outcome.outcomeId
    if (this.#entries.has(name)) return
    const { outbox, sendBuffer } = this.#options
    const view = this.#viewOf(channel, outcome)
    const listener = view ?? { receive: ({ whole }) => sendBuffer.send(whole) }
    const stop = outbox.listen(channel, { ...outcome, after }, listener)
    this.#entries.set(name, { ...outcome, channel, view, stop })
    view?.start()
  }

  // The channel trades has no initial state.
  #viewOf(channel: PublicChannel, outcome: Outcome): OutcomeView | null {
    const { sendBuffer, snapshots, reportFailure } = this.#options
    if (channel === 'trades') return null
    const isGapless = channel === 'orderbook'
    const query = () => (isGapless ? snapshots.book(outcome) : snapshots.prices(outcome))
    return new OutcomeView({ sendBuffer, query, isGapless, reportFailure })
  }

  /** Ends the matching subscriptions and returns their outcomes. */
  end({ channels, marketIds, outcomeIds }: Filter): Outcome[] {
    const ended = new Map<string, Outcome>()
    for (const [name, { channel, marketId, outcomeId }] of this.#entries) {
      if (!channels.includes(channel)) continue
      if (marketIds !== null && !hasId(marketIds, marketId)) continue
      if (outcomeIds !== null && !hasId(outcomeIds, outcomeId)) continue
      this.#end(name)
      ended.set(outcomeId, { marketId, outcomeId })
    }
    return [...ended.values()]
  }

  #end(name: string): void {
    const entry = this.#entries.get(name)
    entry?.view?.close()
    entry?.stop()
    this.#entries.delete(name)
  }

  close(): void {
    this.end({ channels: publicChannels, marketIds: null, outcomeIds: null })
  }

  /** The known versions of the subscribed books. */
  versions(): { readonly outcomeId: string; readonly version: number }[] {
    const versions: { outcomeId: string; version: number }[] = []
    for (const { channel, outcomeId, view } of this.#entries.values()) {
      const version = view?.published ?? null
      if (channel === 'orderbook' && version !== null) versions.push({ outcomeId, version })
    }
    return versions
  }
}

function hasId(ids: readonly string[], id: string): boolean {
  return ids.some((each) => each.toLowerCase() === id)
}
