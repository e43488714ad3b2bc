// Checks of settlements: one for each position, for its shares, at the payout of its outcome. Their
// sum is exactly what was paid for the complete sets.

import type { Serial } from '../../../core/ids.ts'
import { decimals, textOf, ticksPerUnit } from '../../../core/money.ts'
import { exactOf, numberOf, serialOf, textOf as textIn } from '../../sql/cells.ts'
import { type Check, type Snapshot, sqlCheck } from './check.ts'

const pays = `(SELECT value FROM json_each(resolution, '$.payouts') WHERE key = place)`

export const settlementChecks: readonly Check[] = [
  sqlCheck(
    'settlement-position',
    'Settlement',
    `SELECT s.serial, s.created_at AS time, 'does not match its position.' AS finding
     FROM settlements AS s LEFT JOIN positions AS p ON p.serial = position_serial
     WHERE p.serial IS NULL OR p.market_serial <> s.market_serial
       OR p.outcome_serial <> s.outcome_serial
       OR p.operator_number <> s.operator_number OR p.player_id <> s.player_id
       OR p.created_at <> position_created_at OR p.shares <> s.shares`,
  ),
  sqlCheck(
    'settlement-missing',
    'Position',
    `SELECT p.serial, p.created_at AS time, 'has no settlement although its market was settled.'
       AS finding
     FROM positions AS p JOIN jobs ON jobs.market_serial = p.market_serial
     LEFT JOIN settlements AS s ON s.position_serial = p.serial
     WHERE job ->> '$.kind' = 'SETTLE' AND s.serial IS NULL
       AND (is_done OR p.serial <= job ->> '$.lastPosition')
     UNION ALL
     SELECT p.serial, p.created_at, 'has a settlement although its market is not being settled.'
     FROM settlements AS s JOIN positions AS p ON p.serial = position_serial
     LEFT JOIN jobs ON jobs.market_serial = s.market_serial
     WHERE ifnull(job ->> '$.kind', '') <> 'SETTLE'`,
  ),
  sqlCheck(
    'settlement-payout',
    'Settlement',
    `SELECT s.serial, s.created_at AS time, 'pays ' || as_price(payout_per_share) ||
       ' for each share; its outcome pays ' || as_price(${pays}) || '.' AS finding
     FROM settlements AS s JOIN outcomes ON outcomes.serial = s.outcome_serial
     JOIN markets ON markets.serial = s.market_serial WHERE payout_per_share IS NOT ${pays}`,
  ),
  sqlCheck(
    'settlement-status',
    'Settlement',
    `SELECT serial, created_at AS time, 'has the status number ' || status || '.' AS finding
     FROM settlements WHERE status NOT IN (2, 3)`,
  ),
  { name: 'settlement-sums', run: sumFindings },
]

// Summed here, because the sum of shares times payout may pass 2^63.
function* sumFindings({ database, ids }: Snapshot): Iterable<string> {
  const jobs = database
    .prepare(
      `SELECT markets.serial, created_at, is_done, job ->> '$.settled' AS settled,
         job ->> '$.payout' AS payout, job ->> '$.lastPosition' AS last,
         sets_minted, sets_redeemed
       FROM jobs JOIN markets ON markets.serial = jobs.market_serial
       LEFT JOIN market_counters ON market_counters.market_serial = jobs.market_serial
       WHERE job ->> '$.kind' = 'SETTLE'`,
    )
    .all()
  for (const cells of jobs) {
    const market = `Market ${ids.textOf(serialOf(cells.serial), numberOf(cells.created_at))}`
    const made = madeIn(database, serialOf(cells.serial))
    const payout = BigInt(textIn(cells.payout))
    if (made.count !== cells.settled || made.last !== cells.last || made.payout !== payout) {
      const paid = textOf(made.payout, decimals.money)
      const counted = textOf(payout, decimals.money)
      const found = `${made.count} settlements over ${paid}`
      yield `${market} has ${found}; its job counts ${cells.settled} over ${counted}.`
    }
    const sets = exactOf(cells.sets_minted ?? 0) - exactOf(cells.sets_redeemed ?? 0)
    const owed = sets * BigInt(ticksPerUnit)
    if (cells.is_done === 1 && made.payout !== owed) {
      const [paid, due] = [made.payout, owed].map((micros) => textOf(micros, decimals.money))
      yield `${market} pays out ${paid}; its complete sets cost ${due}.`
    }
  }
}

function madeIn(database: Snapshot['database'], marketSerial: Serial) {
  let count = 0
  let payout = 0n
  let last = 0
  const groups = database
    .prepare(
      `SELECT payout_per_share, count(*) AS count, sum(shares) AS shares,
         max(position_serial) AS last
       FROM settlements INDEXED BY settlements_by_market WHERE market_serial = ?
       GROUP BY payout_per_share`,
    )
    .all(marketSerial)
  for (const cells of groups) {
    count += numberOf(cells.count)
    payout += BigInt(numberOf(cells.shares)) * BigInt(numberOf(cells.payout_per_share))
    last = Math.max(last, numberOf(cells.last))
  }
  return { count, payout, last }
}
