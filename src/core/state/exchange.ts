// The whole state of one shard, in memory: a cache of what is stored, and the only state that the
// rules read and write. The rules are in the files named after the commands.

import { assert } from '../assert.ts'
import { type FeeSchedule, feesOf, isFeeRate } from '../fee.ts'
import type { Ids, Serial } from '../ids.ts'
import { DueHeap } from '../memory/due-heap.ts'
import { Ladders } from '../memory/ladders.ts'
import { Levels } from '../memory/levels.ts'
import { Memory, none, type OrderRow } from '../memory/memory.ts'
import { Orders } from '../memory/orders.ts'
import { Positions } from '../memory/positions.ts'
import { type DeadManHandle, type MarketHandle, Slots } from '../memory/slots.ts'
import { type FeeRate, type Price, type Shares, sharesCeiling, ticksPerUnit } from '../money.ts'
import { Controls, type ControlsHandle, type ControlsHolder } from './controls.ts'
import { Journal } from './journal.ts'
import { areAnyInForce } from './limits.ts'
import { Book, Market, type NewMarket, type NewOutcome } from './market.ts'
import { countMarket } from './market-counts.ts'
import { OpenBuys } from './open-buys.ts'
import {
  DeadMan,
  limitSourcesOf,
  type NewOrderGroup,
  Operator,
  type OperatorSettings,
  OrderGroup,
  Player,
} from './operator.ts'

/** What the installation allows. */
export type Rules = {
  readonly sharesMin: Shares
  readonly sharesMax: Shares
  readonly priceMin: Price
  readonly priceMax: Price
  /** Of operators that have no rate of their own. */
  readonly feeRate: FeeRate
  /** How many orders may be open; left out: the defaults of orders/order-limits.ts. */
  readonly playerOrdersMax?: number
  readonly operatorOrdersMax?: number
  /** How many trades one order may make at once; 0 or undefined for no limit. */
  readonly orderFillsMax?: number
  /**
   * What an operator may have that has not ended; 0 for no limit; left out: the defaults of
   * markets/operator-limits.ts.
   */
  readonly operatorMarketsMax?: number
  readonly operatorOutcomesMax?: number
  readonly operatorTextMbMax?: number
  /** How many orders of triggered groups one command cancels; left out: orders/group-fills.ts. */
  readonly groupCancelsMax?: number
}

export class Exchange {
  readonly rules: Rules
  readonly ids: Ids
  /** Logical time in Unix milliseconds; it never goes back. */
  now = 0
  /** The last serial given to a record. */
  lastSerial = 0
  /** How many commands have changed something. */
  commandSequence = 0
  /** How many resting orders, or whole levels, plans have visited. */
  visits = 0
  readonly journal = new Journal()
  readonly memory = new Memory()
  readonly orders = new Orders(this.memory)
  readonly levels = new Levels(this.memory, this.orders)
  readonly ladders = new Ladders(this.memory, this.levels)
  readonly positions = new Positions(this.memory)
  readonly expiries = new DueHeap<OrderRow>()
  readonly openings = new DueHeap<MarketHandle>()
  /** Of armed dead-man switches. */
  readonly deadlines = new DueHeap<DeadManHandle>()
  readonly deadMen = new Slots<DeadMan, 'deadMan'>()
  /** Dead-man switches with orders that are still to be cancelled. */
  readonly cancelling = new Set<DeadMan>()
  readonly orderGroups = new Map<Serial, OrderGroup>()
  /** Groups with orders that are still to be cancelled. */
  readonly cancellingGroups = new Set<OrderGroup>()
  /** The brakes that become OPEN by themselves. */
  readonly releases = new DueHeap<ControlsHandle>()
  readonly operators = new Slots<Operator, 'operator'>()
  readonly players = new Slots<Player, 'player'>()
  readonly markets = new Slots<Market, 'market'>()
  readonly books = new Slots<Book, 'book'>()
  readonly allControls = new Slots<Controls, 'controls'>()
  /** The brake on the whole exchange, as far as this shard knows it. */
  controls: Controls | null = null
  private readonly ended: Market[] = []
  private readonly endedGroups: OrderGroup[] = []
  private readonly operatorsById = new Map<string, Operator>()
  private readonly marketsBySerial = new Map<Serial, Market>()
  private readonly booksBySerial = new Map<Serial, Book>()

  constructor(rules: Rules, ids: Ids) {
    assert(rules.sharesMax <= sharesCeiling, 'orders are small enough for exact fees')
    assert(rules.priceMin > 0 && rules.priceMax < ticksPerUnit, 'prices are between 0 and 1')
    assert(isFeeRate(rules.feeRate), 'a fee is 0 to 100 %')
    this.rules = rules
    this.ids = ids
  }

  /** Begins a command. Past this line nothing may reject it. */
  begin(): void {
    this.commandSequence += 1
    this.journal.begin()
  }

  /** The turn is recorded and answered: forgets its facts and frees what it has closed. */
  endTurn(): void {
    this.journal.clear()
    this.orders.freeClosed()
    for (const market of this.ended.splice(0)) this.forgetPositions(market)
    for (const { serial } of this.endedGroups.splice(0)) this.orderGroups.delete(serial)
  }

  nextSerial(): Serial {
    this.lastSerial += 1
    return this.lastSerial as Serial
  }

  /** Adds an operator, or changes the settings of the one with that id. */
  putOperator(settings: OperatorSettings): Operator {
    const known = this.operatorsById.get(settings.id)
    const fees = feesOf(settings, this.rules.feeRate)
    if (known !== undefined) {
      known.supportedCurrencies = settings.supportedCurrencies
      known.feeRate = settings.feeRate
      known.feeSchedule = settings.feeSchedule ?? null
      known.fees = fees
      return known
    }
    const operator = this.operators.add((handle) => new Operator(handle, settings, fees))
    this.operatorsById.set(operator.id, operator)
    return operator
  }

  operator(id: string): Operator | undefined {
    return this.operatorsById.get(id)
  }

  /** That operator's player; a new one where it has no such player yet. */
  player(operator: Operator, id: string): Player {
    const known = operator.players.get(id)
    if (known !== undefined) return known
    const player = this.players.add((handle) => new Player(handle, operator, id))
    operator.players.set(id, player)
    if (operator.controls !== null && areAnyInForce(limitSourcesOf(operator, player))) {
      player.openBuys = new OpenBuys()
    }
    return player
  }

  /** The dead-man switch of that scope; a new one where there is none yet. */
  deadMan(operator: Operator, playerId: string | null): DeadMan {
    const known = operator.deadMen?.get(playerId)
    if (known !== undefined) return known
    const deadMan = this.deadMen.add((handle) => new DeadMan(handle, operator, playerId))
    operator.deadMen ??= new Map()
    operator.deadMen.set(playerId, deadMan)
    return deadMan
  }

  /** Forgets a dead-man switch that is cleared and has nothing to cancel. */
  forgetDeadMan({ handle, operator, playerId }: DeadMan): void {
    operator.deadMen?.delete(playerId)
    if (operator.deadMen?.size === 0) operator.deadMen = null
    this.deadMen.remove(handle)
  }

  addOrderGroup(group: NewOrderGroup): OrderGroup {
    const added = new OrderGroup(this.ids.textOf(group.serial, group.createdAt), group)
    this.orderGroups.set(added.serial, added)
    const { operator, playerId } = added
    operator.orderGroupCount += 1
    operator.orderGroups ??= new Map()
    const known = operator.orderGroups.get(playerId)
    if (known === undefined) operator.orderGroups.set(playerId, new Set([added]))
    else known.add(added)
    return added
  }

  /** A group that is deleted is none of its player's any more; its orders may still be open. */
  unlistOrderGroup(group: OrderGroup): void {
    const { operator, playerId } = group
    const groups = operator.orderGroups?.get(playerId)
    groups?.delete(group)
    operator.orderGroupCount -= 1
    if (groups?.size === 0) operator.orderGroups?.delete(playerId)
    if (operator.orderGroups?.size === 0) operator.orderGroups = null
  }

  /** Once it is deleted and has nothing to cancel; until the turn ends, closed orders name it. */
  forgetOrderGroup(group: OrderGroup): void {
    this.endedGroups.push(group)
  }

  /** The group that the order is in, or null. */
  groupOf(order: OrderRow): OrderGroup | null {
    const serial = this.orders.groupSerial(order)
    return serial === null ? null : this.orderGroups.get(serial)!
  }

  /** The player whose order it is. */
  playerOf(order: OrderRow): Player {
    return this.players.at(this.orders.player(order))
  }

  /** The book of the order's outcome. */
  bookOf(order: OrderRow): Book {
    return this.books.at(this.orders.book(order))
  }

  /** Whether anybody has a brake or limits here. */
  get hasControls(): boolean {
    return this.allControls.size > 0
  }

  /** The brakes of that holder; new ones where there are none. */
  controlsOf(holder: ControlsHolder): Controls {
    const known = this.knownControlsOf(holder)
    if (known !== null) return known
    const controls = this.allControls.add((handle) => new Controls(handle, holder))
    this.keepControls(holder, controls)
    return controls
  }

  knownControlsOf(holder: ControlsHolder): Controls | null {
    if (holder.kind === 'EXCHANGE') return this.controls
    const operator = this.holderOf(holder)
    if (holder.kind === 'PLAYER') return operator.players.get(holder.playerId)?.controls ?? null
    return holder.kind === 'OPERATOR' ? operator.controls : operator.administratorControls
  }

  /** They restrict nothing any more. */
  forgetControls({ handle, holder }: Controls): void {
    this.releases.remove(handle)
    this.allControls.remove(handle)
    this.keepControls(holder, null)
  }

  private keepControls(holder: ControlsHolder, controls: Controls | null): void {
    if (holder.kind === 'EXCHANGE') this.controls = controls
    else if (holder.kind === 'PLAYER') {
      this.player(this.holderOf(holder), holder.playerId).controls = controls
    } else if (holder.kind === 'OPERATOR') this.holderOf(holder).controls = controls
    else this.holderOf(holder).administratorControls = controls
  }

  private holderOf({ operatorId }: { readonly operatorId: string }): Operator {
    const operator = this.operatorsById.get(operatorId)
    assert(operator !== undefined, 'the shard knows the operator of every brake')
    return operator
  }

  /** What a side of that operator pays in a market; the owner's own side may have fees there. */
  feesOf(operator: Operator, { feeSchedule, owner }: Market): FeeSchedule {
    return feeSchedule !== null && operator === owner ? feeSchedule : operator.fees
  }

  addMarket(market: NewMarket): Market {
    const id = this.ids.textOf(market.serial, market.createdAt)
    const added = this.markets.add((handle) => new Market(handle, id, market))
    this.marketsBySerial.set(added.serial, added)
    return added
  }

  addBook(market: Market, outcome: NewOutcome): Book {
    const id = this.ids.textOf(outcome.serial, outcome.createdAt)
    const book = this.books.add((handle) => new Book(handle, id, market, outcome))
    market.books.push(book)
    this.booksBySerial.set(book.serial, book)
    return book
  }

  market(serial: Serial): Market | undefined {
    return this.marketsBySerial.get(serial)
  }

  /** The book of the outcome with that serial. */
  book(serial: Serial): Book | undefined {
    return this.booksBySerial.get(serial)
  }

  /** The market's job is done: its positions are needed only until the turn ends. */
  endMarket(market: Market): void {
    countMarket(market, -1)
    this.ended.push(market)
  }

  private forgetPositions(market: Market): void {
    const { positions } = this
    for (let position = market.firstPosition; position !== none; ) {
      const next = positions.next(position)
      positions.drop(position)
      position = next
    }
    market.firstPosition = none
    market.lastPosition = none
    market.nextToSettle = none
  }

  /** Forgets a market, its books and its positions; the store still has them. */
  forgetMarket(market: Market): void {
    assert(!market.hasOpenOrders, 'a forgotten market has no open orders')
    this.forgetPositions(market)
    for (const book of market.books) {
      this.booksBySerial.delete(book.serial)
      this.books.remove(book.handle)
    }
    this.openings.remove(market.handle)
    this.marketsBySerial.delete(market.serial)
    this.markets.remove(market.handle)
  }

  /** Forgets a player without open orders and positions. */
  forgetPlayer(player: Player): void {
    player.operator.players.delete(player.id)
    this.players.remove(player.handle)
  }

  /** Empties everything and keeps the memory, before a rebuild from the store. */
  clear(): void {
    this.now = 0
    this.lastSerial = 0
    this.commandSequence = 0
    this.journal.clear()
    this.orders.clear()
    this.ladders.clear()
    this.positions.clear()
    this.memory.clear()
    this.expiries.clear()
    this.openings.clear()
    this.deadlines.clear()
    this.deadMen.clear()
    this.cancelling.clear()
    this.orderGroups.clear()
    this.cancellingGroups.clear()
    this.endedGroups.length = 0
    this.releases.clear()
    this.allControls.clear()
    this.controls = null
    this.operators.clear()
    this.players.clear()
    this.markets.clear()
    this.books.clear()
    this.ended.length = 0
    this.operatorsById.clear()
    this.marketsBySerial.clear()
    this.booksBySerial.clear()
  }
}
