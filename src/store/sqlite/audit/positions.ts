// Checks of positions: they match trades, mints and redemptions, no order offers more than is held,
// and the shares of an outcome match the complete sets.

import { decimals, textOf } from '../../../core/money.ts'
import { exactOf, numberOf, serialOf } from '../../sql/cells.ts'
import { type Check, type Snapshot, sqlCheck } from './check.ts'
import { flowValue } from './tables.ts'

const withFlows = 'positions LEFT JOIN flows USING (outcome_serial, operator_number, player_id)'

export const positionChecks: readonly Check[] = [
  sqlCheck(
    'position-shares',
    'Position',
    `SELECT serial, created_at AS time, 'holds ' || as_shares(positions.shares) ||
       ' shares; its trades and sets add up to ' || as_shares(ifnull(flows.shares, 0)) || '.'
       AS finding
     FROM ${withFlows}
     WHERE positions.shares < 0 OR positions.shares <> ifnull(flows.shares, 0)`,
  ),
  sqlCheck(
    'position-holders',
    null,
    `SELECT 'Player "' || flows.player_id || '" of operator ' ||
       ifnull(operators.id, 'number ' || flows.operator_number) || ' has ' ||
       count(positions.serial) || ' positions in outcome number ' ||
       flows.outcome_serial || '.' AS finding
     FROM flows LEFT JOIN positions INDEXED BY positions_by_player ON
       positions.operator_number = flows.operator_number AND positions.player_id = flows.player_id
       AND positions.outcome_serial = flows.outcome_serial
     LEFT JOIN operators ON operators.number = flows.operator_number
     GROUP BY flows.outcome_serial, flows.operator_number, flows.player_id
     HAVING count(positions.serial) <> 1`,
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
       SELECT outcome_serial, operator_number, player_id, sum(shares - filled) AS offered
       FROM orders WHERE status <= 1 AND is_sell = 1
       GROUP BY outcome_serial, operator_number, player_id
     ) AS offers USING (outcome_serial, operator_number, player_id)
     WHERE reserved <> ifnull(offered, 0) OR reserved > positions.shares`,
  ),
  sqlCheck(
    'offers-held',
    'Order',
    `SELECT orders.serial, orders.created_at AS time,
       'offers shares of a position that does not exist.' AS finding
     FROM orders WHERE status <= 1 AND is_sell = 1 AND NOT EXISTS (
       SELECT 1 FROM positions WHERE positions.operator_number = orders.operator_number
         AND positions.player_id = orders.player_id
         AND positions.outcome_serial = orders.outcome_serial
     )`,
  ),
  sqlCheck(
    'outcome-shares',
    'Outcome',
    `SELECT outcomes.serial, markets.created_at AS time, 'has ' || as_shares(ifnull(held, 0)) ||
       ' shares for ' || as_shares(sets) || ' complete sets.' AS finding
     FROM outcomes JOIN markets ON markets.serial = outcomes.market_serial
     LEFT JOIN (
       SELECT market_serial, CAST(sets_minted AS INTEGER) - CAST(sets_redeemed AS INTEGER) AS sets
       FROM market_counters
     ) AS counters ON counters.market_serial = markets.serial
     LEFT JOIN (
       SELECT outcome_serial, sum(shares) AS held FROM positions GROUP BY outcome_serial
     ) AS holdings ON holdings.outcome_serial = outcomes.serial
     WHERE ifnull(held, 0) <> ifnull(sets, 0)`,
  ),
  sqlCheck(
    'position-parents',
    'Position',
    `SELECT positions.serial, positions.created_at AS time,
       'belongs to an operator, market or outcome that does not exist.' AS finding
     FROM positions LEFT JOIN operators ON operators.number = operator_number
     LEFT JOIN outcomes ON outcomes.serial = outcome_serial
     WHERE operators.number IS NULL OR outcomes.market_serial IS NOT positions.market_serial`,
  ),
]

// What was paid minus what was received is the cost of the shares minus the profit.
function* cashFindings({ database, ids }: Snapshot): Iterable<string> {
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
    const id = ids.textOf(serialOf(cells.serial), numberOf(cells.created_at))
    const [left, right] = [kept, paid].map((micros) => textOf(micros, decimals.money))
    yield `Position ${id} has a cost minus profit of ${left}; its cash flow is ${right}.`
  }
}
