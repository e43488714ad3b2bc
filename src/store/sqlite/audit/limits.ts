// Checks of limits of players: since they were set, nothing was bought or minted beyond them. What
// a player uses grows only by what is accepted, so it shows every purchase since then.

import { microsPerSet, noPrice } from '../../../core/money.ts'
import { unpackOptions } from '../../../core/orders/options.ts'
import { type ControlsRecord, controlsHolders } from '../../../core/state/controls.ts'
import { areAnyInForce, type LimitSources, limitInForce } from '../../../core/state/limits.ts'
import { orderStatuses } from '../../../core/words.ts'
import { type Cells, numberOf, serialOf, textOf } from '../../sql/cells.ts'
import { controlsRecordOf } from '../../sql/read-controls.ts'
import { readUsage } from '../../sql/read-usage.ts'
import { answerOf } from '../connection.ts'
import type { Check, Snapshot } from './check.ts'

const [ofOperator, ofPlayer] = (['OPERATOR', 'PLAYER'] as const).map((kind) =>
  controlsHolders.indexOf(kind),
)
const rejected = orderStatuses.indexOf('REJECTED')

type Party = { readonly operatorNumber: number; readonly playerId: string }
type Limited = LimitSources & { readonly since: number }
/** A BUY order or a mint since the limits of its player were set; a mint has no outcome. */
type Purchase = Party & { readonly cells: Cells; readonly limits: Limited }

const keyOf = ({ operatorNumber, playerId }: Party) => `${operatorNumber} ${playerId}`

function* purchases(snapshot: Snapshot): Iterable<Purchase> {
  const { database } = snapshot
  const limitsOf = limitsIn(snapshot)
  if (limitsOf === null) return
  const statement = database.prepare(
    `SELECT serial, created_at, market_serial, outcome_serial, operator_number, player_id,
       shares, price, filled, cost, options, queue_serial
     FROM orders WHERE is_sell = 0 AND status <> ${rejected}
     UNION ALL
     SELECT serial, created_at, market_serial, NULL, operator_number, player_id,
       shares, NULL, NULL, NULL, NULL, NULL
     FROM sets WHERE is_redeem = 0`,
  )
  for (const cells of statement.iterate() as Iterable<Cells>) {
    const operatorNumber = numberOf(cells.operator_number)
    const party = { operatorNumber, playerId: textOf(cells.player_id) }
    const limits = limitsOf(party)
    if (limits === null || numberOf(cells.created_at) <= limits.since) continue
    yield { ...party, cells, limits }
  }
}

/** Returns a function that finds the limits of a player; null if no player has any. */
function limitsIn({ database }: Snapshot): ((party: Party) => Limited | null) | null {
  const rows = database
    .prepare('SELECT * FROM controls WHERE record IS NOT NULL AND holder_kind IN (?, ?)')
    .all(ofOperator!, ofPlayer!) as Cells[]
  const records = new Map<string, ControlsRecord>()
  for (const cells of rows) {
    const operatorNumber = numberOf(cells.operator_number)
    const playerId = textOf(cells.player_id)
    const key = `${numberOf(cells.holder_kind)} ${keyOf({ operatorNumber, playerId })}`
    records.set(key, controlsRecordOf(textOf(cells.record)))
  }
  if (![...records.values()].some(({ terms }) => terms.limits !== null)) return null
  return (party) => {
    const own = records.get(`${ofPlayer} ${keyOf(party)}`)
    const defaults = records.get(`${ofOperator} ${keyOf({ ...party, playerId: '' })}`)
    const sources = { own: own?.terms.limits ?? null, defaults: defaults?.terms.limits ?? null }
    if (!areAnyInForce(sources)) return null
    return { ...sources, since: Math.max(own?.changedAt ?? 0, defaults?.changedAt ?? 0) }
  }
}

function* dearPurchases(snapshot: Snapshot): Iterable<string> {
  for (const { cells, limits } of purchases(snapshot)) {
    const max = limitInForce(limits, 'maxOrderCost')
    if (max === null || leastCostOf(cells) <= max) continue
    const id = snapshot.ids.textOf(serialOf(cells.serial), numberOf(cells.created_at))
    const what = cells.outcome_serial === null ? 'Set' : 'Order'
    yield `${what} ${id} costs more than the player may spend at once.`
  }
}

// What it cost at least when it was accepted. An amendment changes the shares and the price of an
// order, and what it had filled before did not count.
function leastCostOf(cells: Cells): number {
  const shares = numberOf(cells.shares)
  if (cells.outcome_serial === null) return shares * microsPerSet
  const { timeInForce } = unpackOptions(numberOf(cells.options))
  const price = numberOf(cells.price)
  const mayRest = price !== noPrice && timeInForce === 'GTC'
  if (!mayRest) return numberOf(cells.cost)
  const isMoved = cells.queue_serial !== cells.serial
  return (isMoved ? shares - numberOf(cells.filled) : shares) * price
}

function* usedBeyond(snapshot: Snapshot): Iterable<string> {
  const bought = new Map<string, Party & { limits: Limited; places: Set<string> }>()
  for (const { operatorNumber, playerId, cells, limits } of purchases(snapshot)) {
    const party = { operatorNumber, playerId }
    const known = bought.get(keyOf(party)) ?? { ...party, limits, places: new Set() }
    known.places.add(`${cells.market_serial}`)
    known.places.add(`${cells.market_serial} ${cells.outcome_serial ?? 'all'}`)
    bought.set(keyOf(party), known)
  }
  for (const { limits, places, ...party } of bought.values()) {
    const sharesMax = limitInForce(limits, 'maxOutcomeShares')
    const costMax = limitInForce(limits, 'maxMarketCost')
    for (const market of answerOf(snapshot.statements, readUsage(party))) {
      const { marketSerial, marketCreatedAt, cost, outcomes } = market
      const marketId = snapshot.ids.textOf(marketSerial, marketCreatedAt)
      const where = `Player "${party.playerId}" of operator number ${party.operatorNumber}`
      const isInMarket = costMax !== null && places.has(`${marketSerial}`)
      if (isInMarket && cost > costMax) yield `${where} spent too much in market ${marketId}.`
      if (sharesMax === null) continue
      for (const { outcomeSerial, shares } of outcomes) {
        const isBought = [outcomeSerial, 'all'].some((each) =>
          places.has(`${marketSerial} ${each}`),
        )
        if (!isBought || shares <= sharesMax) continue
        const outcomeId = snapshot.ids.textOf(outcomeSerial, marketCreatedAt)
        yield `${where} has too many shares of outcome ${outcomeId}.`
      }
    }
  }
}

export const limitChecks: readonly Check[] = [
  { name: 'limit-orders', run: dearPurchases },
  { name: 'limit-usage', run: usedBeyond },
]
