// Checks of markets: their outcomes, participants and jobs.

import { feeModels } from '../../../core/fee.ts'
import { feeRateMax, ticksPerUnit } from '../../../core/money.ts'
import { type Check, sqlCheck } from './check.ts'

const models = feeModels.map((model) => `'${model}'`).join(', ')
const isNoRate = (rate: string) => `
  json_type(fee_schedule, '$.${rate}') IS NOT 'integer'
  OR fee_schedule ->> '$.${rate}' NOT BETWEEN 0 AND ${feeRateMax}`
const isNoSchedule = `CASE WHEN json_valid(fee_schedule) THEN
  ifnull(fee_schedule ->> '$.model', '') NOT IN (${models})
  OR ${isNoRate('takerRate')} OR ${isNoRate('makerRate')} ELSE 1 END`

const isNoBand = `CASE WHEN json_valid(price_band) THEN
  json_type(price_band, '$.maxMove') IS NOT 'integer'
  OR price_band ->> '$.maxMove' NOT BETWEEN 1 AND ${ticksPerUnit - 1}
  OR ifnull(json_type(price_band, '$.suspendOnBand'), '') NOT IN ('true', 'false') ELSE 1 END`

export const marketChecks: readonly Check[] = [
  sqlCheck(
    'market-resolution',
    'Market',
    `SELECT serial, created_at AS time, iif(resolution IS NULL,
       'is RESOLVED or SETTLED and has no resolution.', 'is not resolved and has a resolution.')
       AS finding
     FROM markets WHERE (status IN (5, 6)) <> (resolution IS NOT NULL)
     UNION ALL
     SELECT serial, created_at, 'has other payouts than one for each outcome with a sum of 1.'
     FROM markets WHERE resolution IS NOT NULL AND (
       (SELECT sum(value) FROM json_each(resolution, '$.payouts')) IS NOT ${ticksPerUnit}
       OR (SELECT min(value) FROM json_each(resolution, '$.payouts')) < 0
       OR json_array_length(resolution, '$.payouts') IS NOT
         (SELECT count(*) FROM outcomes WHERE market_serial = markets.serial)
     )`,
  ),
  sqlCheck(
    'market-fees',
    'Market',
    `SELECT serial, created_at AS time, 'has a fee schedule that is none.' AS finding
     FROM markets WHERE fee_schedule IS NOT NULL AND (${isNoSchedule})`,
  ),
  sqlCheck(
    'market-bands',
    'Market',
    `SELECT serial, created_at AS time, 'has a price band that is none.' AS finding
     FROM markets WHERE price_band IS NOT NULL AND (${isNoBand})`,
  ),
  sqlCheck(
    'operator-fees',
    null,
    `SELECT 'Operator ' || id || ' has a fee schedule that is none.' AS finding
     FROM operators WHERE fee_schedule IS NOT NULL AND (${isNoSchedule})`,
  ),
  sqlCheck(
    'market-outcomes',
    'Market',
    `SELECT markets.serial, markets.created_at AS time, 'has ' || count(outcomes.serial) ||
       ' outcomes, from index ' || ifnull(min(place), 'none') || ' to ' ||
       ifnull(max(place), 'none') || '.' AS finding
     FROM markets LEFT JOIN outcomes ON outcomes.market_serial = markets.serial
     GROUP BY markets.serial
     HAVING count(outcomes.serial) < 2 OR min(place) <> 0
       OR max(place) <> count(outcomes.serial) - 1`,
  ),
  sqlCheck(
    'market-participants',
    'Market',
    `SELECT markets.serial, markets.created_at AS time, 'has operator number ' || operator_number ||
       iif(max(is_listed), ' as a participant without an order or a position.',
         ' trading, which is not a participant.') AS finding
     FROM (
       SELECT market_serial, operator_number, 0 AS is_listed FROM orders
       GROUP BY operator_number, market_serial
       UNION ALL SELECT market_serial, operator_number, 0 FROM positions
       GROUP BY market_serial, operator_number
       UNION ALL SELECT market_serial, operator_number, 1 FROM participants
     ) AS seen JOIN markets ON markets.serial = seen.market_serial
     WHERE operator_number <> owner_number
     GROUP BY markets.serial, operator_number HAVING min(is_listed) = max(is_listed)`,
  ),
  sqlCheck(
    'market-job',
    'Market',
    `SELECT markets.serial, created_at AS time, 'has a job that does not fit its status.'
       AS finding
     FROM markets LEFT JOIN jobs ON jobs.market_serial = markets.serial
     WHERE CASE
       WHEN status = 6 THEN ifnull(job ->> '$.kind', '') <> 'SETTLE' OR is_done <> 1
       WHEN status = 7 THEN ifnull(job ->> '$.kind', '') <> 'CANCEL'
       WHEN status = 5 THEN ifnull(job ->> '$.kind', 'SETTLE') <> 'SETTLE' OR is_done = 1
       ELSE job IS NOT NULL END
     UNION ALL
     SELECT markets.serial, created_at, 'has a job whose phase and is_done differ.'
     FROM jobs JOIN markets ON markets.serial = market_serial
     WHERE (job ->> '$.phase' = 'DONE') <> is_done`,
  ),
]
