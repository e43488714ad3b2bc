// What must hold of positions: they are what trades, mints and redemptions made of them, nobody
// offers what is not held, and no share comes from nowhere.

import { decimals, textOf } from '../../../core/money.ts'
import { exactOf, numberOf } from '../../sql/cells.ts'
import { type Check, type Scene, sqlCheck } from './check.ts'
import { flowValue } from './tables.ts'

const withFlows = 'positions LEFT JOIN flows USING (outcome, operator, player_id)'

export const positionChecks: readonly Check[] = [
  sqlCheck(
    'position-shares',
    'Position',
    `SELECT serial, created_at AS time, 'holds ' || as_shares(positions.shares) ||
       ' shares; what came and went makes ' || as_shares(ifnull(flows.shares, 0)) || '.' AS finding
     FROM ${withFlows}
     WHERE positions.shares < 0 OR positions.shares <> ifnull(flows.shares, 0)`,
  ),
  sqlCheck(
    'position-holders',
    null,
    `SELECT 'Player "' || flows.player_id || '" of operator ' ||
       ifnull(operators.id, 'number ' || flows.operator) || ' has ' || count(positions.serial) ||
       ' positions in outcome number ' || flows.outcome || '.' AS finding
     FROM flows LEFT JOIN positions INDEXED BY positions_by_player ON
       positions.operator = flows.operator AND positions.player_id = flows.player_id
       AND positions.outcome = flows.outcome
     LEFT JOIN operators ON operators.number = flows.operator
     GROUP BY flows.outcome, flows.operator, flows.player_id HAVING count(positions.serial) <> 1`,
  ),
  { name: 'position-cash', run: cashFindings },
  sqlCheck(
    'position-cost',
    'Position',
    `SELECT serial, created_at AS time, 'holds ' || as_shares(shares) || ' shares that cost ' ||
       as_money(cost) || '.' AS finding
     FROM positions WHERE cost < 0 OR cost LIKE '-%' OR (shares = 0 AND cost <> 0)`,
  ),
  sqlCheck(
    'position-reserved',
    'Position',
    `SELECT positions.serial, positions.created_at AS time, 'has ' || as_shares(reserved) ||
       ' of ' || as_shares(positions.shares) || ' shares reserved; its open SELL orders offer ' ||
       as_shares(ifnull(offered, 0)) || '.' AS finding
     FROM positions LEFT JOIN (
       SELECT outcome, operator, player_id, sum(shares - filled) AS offered
       FROM orders WHERE status <= 1 AND is_sell = 1
       GROUP BY outcome, operator, player_id
     ) AS offers USING (outcome, operator, player_id)
     WHERE reserved <> ifnull(offered, 0) OR reserved > positions.shares`,
  ),
  sqlCheck(
    'offers-held',
    'Order',
    `SELECT orders.serial, orders.created_at AS time,
       'offers shares of a position that is not there.' AS finding
     FROM orders WHERE status <= 1 AND is_sell = 1 AND NOT EXISTS (
       SELECT 1 FROM positions WHERE positions.operator = orders.operator
         AND positions.player_id = orders.player_id AND positions.outcome = orders.outcome
     )`,
  ),
  sqlCheck(
    'outcome-shares',
    'Outcome',
    `SELECT outcomes.serial, markets.created_at AS time, 'has ' || as_shares(ifnull(held, 0)) ||
       ' shares for ' || as_shares(sets) || ' complete sets.' AS finding
     FROM outcomes JOIN markets ON markets.serial = outcomes.market
     LEFT JOIN (
       SELECT market, CAST(sets_minted AS INTEGER) - CAST(sets_redeemed AS INTEGER) AS sets
       FROM market_counters
     ) AS counters ON counters.market = markets.serial
     LEFT JOIN (
       SELECT outcome, sum(shares) AS held FROM positions GROUP BY outcome
     ) AS holdings ON holdings.outcome = outcomes.serial
     WHERE ifnull(held, 0) <> ifnull(sets, 0)`,
  ),
  sqlCheck(
    'position-parents',
    'Position',
    `SELECT positions.serial, positions.created_at AS time,
       'belongs to an operator, market or outcome that is not there.' AS finding
     FROM positions LEFT JOIN operators ON operators.number = operator
     LEFT JOIN outcomes ON outcomes.serial = outcome
     WHERE operators.number IS NULL OR outcomes.market IS NOT positions.market`,
  ),
]

// What was paid less what was fetched is what the shares cost now less the profit so far.
function* cashFindings({ database, ids }: Scene): Iterable<string> {
  const rows = database
    .prepare(
      `SELECT serial, created_at, cost, profit, ifnull(billions, 0) AS billions,
         ifnull(rest, 0) AS rest FROM ${withFlows}`,
    )
    .iterate()
  for (const cells of rows) {
    const paid = flowValue(numberOf(cells.billions), numberOf(cells.rest))
    const kept = exactOf(cells.cost) - exactOf(cells.profit)
    if (paid === kept) continue
    const id = ids.textOf(numberOf(cells.serial), numberOf(cells.created_at))
    const [left, right] = [kept, paid].map((micros) => textOf(micros, decimals.money))
    yield `Position ${id} has a cost less profit of ${left}; what was paid for it makes ${right}.`
  }
}
