// What must hold of settlements: one for each position, of what it held, at what its outcome pays,
// and together exactly what was paid in.

import { decimals, textOf, ticksPerUnit } from '../../../core/money.ts'
import { exactOf, numberOf, textOf as textIn } from '../../sql/cells.ts'
import { type Check, type Scene, sqlCheck } from './check.ts'

const pays = `(SELECT value FROM json_each(resolution, '$.payouts') WHERE key = place)`

export const settlementChecks: readonly Check[] = [
  sqlCheck(
    'settlement-position',
    'Settlement',
    `SELECT s.serial, s.created_at AS time, 'is not of a position as it is stored.' AS finding
     FROM settlements AS s LEFT JOIN positions AS p ON p.serial = position_serial
     WHERE p.serial IS NULL OR p.market <> s.market OR p.outcome <> s.outcome
       OR p.operator <> s.operator OR p.player_id <> s.player_id
       OR p.created_at <> position_created_at OR p.shares <> s.shares`,
  ),
  sqlCheck(
    'settlement-missing',
    'Position',
    `SELECT p.serial, p.created_at AS time, 'was passed over by the settlement of its market.'
       AS finding
     FROM positions AS p JOIN runs ON runs.market = p.market
     LEFT JOIN settlements AS s ON s.position_serial = p.serial
     WHERE run ->> '$.kind' = 'SETTLE' AND s.serial IS NULL
       AND (is_done OR p.serial <= run ->> '$.lastPosition')
     UNION ALL
     SELECT p.serial, p.created_at, 'is settled, and its market is not being settled.'
     FROM settlements AS s JOIN positions AS p ON p.serial = position_serial
     LEFT JOIN runs ON runs.market = s.market WHERE ifnull(run ->> '$.kind', '') <> 'SETTLE'`,
  ),
  sqlCheck(
    'settlement-payout',
    'Settlement',
    `SELECT s.serial, s.created_at AS time, 'pays ' || as_price(payout_per_share) ||
       ' for each share; its outcome pays ' || as_price(${pays}) || '.' AS finding
     FROM settlements AS s JOIN outcomes ON outcomes.serial = s.outcome
     JOIN markets ON markets.serial = s.market WHERE payout_per_share IS NOT ${pays}`,
  ),
  sqlCheck(
    'settlement-status',
    'Settlement',
    `SELECT serial, created_at AS time, 'has the status number ' || status || '.' AS finding
     FROM settlements WHERE status NOT IN (2, 3)`,
  ),
  { name: 'settlement-sums', run: sumFindings },
]

// Shares times payout may pass 2^63 in the sum, so that it is made here.
function* sumFindings({ database, ids }: Scene): Iterable<string> {
  const runs = database
    .prepare(
      `SELECT markets.serial, created_at, is_done, run ->> '$.settled' AS settled,
         run ->> '$.payout' AS payout, run ->> '$.lastPosition' AS last,
         sets_minted, sets_redeemed
       FROM runs JOIN markets ON markets.serial = runs.market
       LEFT JOIN market_counters ON market_counters.market = runs.market
       WHERE run ->> '$.kind' = 'SETTLE'`,
    )
    .all()
  for (const cells of runs) {
    const market = `Market ${ids.textOf(numberOf(cells.serial), numberOf(cells.created_at))}`
    const made = madeIn(database, numberOf(cells.serial))
    const payout = BigInt(textIn(cells.payout))
    if (made.count !== cells.settled || made.last !== cells.last || made.payout !== payout) {
      const paid = textOf(made.payout, decimals.money)
      const said = textOf(payout, decimals.money)
      const found = `${made.count} settlements over ${paid}`
      yield `${market} has ${found}; its run says ${cells.settled} over ${said}.`
    }
    const sets = exactOf(cells.sets_minted ?? 0) - exactOf(cells.sets_redeemed ?? 0)
    const owed = sets * BigInt(ticksPerUnit)
    if (cells.is_done === 1 && made.payout !== owed) {
      const [paid, due] = [made.payout, owed].map((micros) => textOf(micros, decimals.money))
      yield `${market} pays out ${paid}; ${due} were paid in for its sets.`
    }
  }
}

function madeIn(database: Scene['database'], market: number) {
  let count = 0
  let payout = 0n
  let last = 0
  const groups = database
    .prepare(
      `SELECT payout_per_share, count(*) AS count, sum(shares) AS shares,
         max(position_serial) AS last
       FROM settlements INDEXED BY settlements_by_market WHERE market = ?
       GROUP BY payout_per_share`,
    )
    .all(market)
  for (const cells of groups) {
    count += numberOf(cells.count)
    payout += BigInt(numberOf(cells.shares)) * BigInt(numberOf(cells.payout_per_share))
    last = Math.max(last, numberOf(cells.last))
  }
  return { count, payout, last }
}
