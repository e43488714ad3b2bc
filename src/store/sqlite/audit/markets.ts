// What must hold of markets, their outcomes and guests, and of work on them that goes in slices.

import { ticksPerUnit } from '../../../core/money.ts'
import { type Check, sqlCheck } from './check.ts'

export const marketChecks: readonly Check[] = [
  sqlCheck(
    'market-resolution',
    'Market',
    `SELECT serial, created_at AS time, iif(resolution IS NULL,
       'is RESOLVED or SETTLED and has no resolution.', 'has a resolution before its time.')
       AS finding
     FROM markets WHERE (status IN (5, 6)) <> (resolution IS NOT NULL)
     UNION ALL
     SELECT serial, created_at, 'has payouts that do not sum to 1, one for each outcome.'
     FROM markets WHERE resolution IS NOT NULL AND (
       (SELECT sum(value) FROM json_each(resolution, '$.payouts')) IS NOT ${ticksPerUnit}
       OR (SELECT min(value) FROM json_each(resolution, '$.payouts')) < 0
       OR json_array_length(resolution, '$.payouts') IS NOT
         (SELECT count(*) FROM outcomes WHERE market = markets.serial)
     )`,
  ),
  sqlCheck(
    'market-outcomes',
    'Market',
    `SELECT markets.serial, markets.created_at AS time, 'has ' || count(outcomes.serial) ||
       ' outcomes, from place ' || ifnull(min(place), 'none') || ' to ' ||
       ifnull(max(place), 'none') || '.' AS finding
     FROM markets LEFT JOIN outcomes ON outcomes.market = markets.serial
     GROUP BY markets.serial
     HAVING count(outcomes.serial) < 2 OR min(place) <> 0
       OR max(place) <> count(outcomes.serial) - 1`,
  ),
  sqlCheck(
    'market-guests',
    'Market',
    `SELECT markets.serial, markets.created_at AS time, 'has operator number ' || operator ||
       iif(max(is_listed), ' listed as a guest, without order or position there.',
         ' trading there, who is not listed as a guest.') AS finding
     FROM (
       SELECT market, operator, 0 AS is_listed FROM orders GROUP BY operator, market
       UNION ALL SELECT market, operator, 0 FROM positions GROUP BY market, operator
       UNION ALL SELECT market, operator, 1 FROM guests
     ) AS seen JOIN markets ON markets.serial = seen.market WHERE operator <> owner
     GROUP BY markets.serial, operator HAVING min(is_listed) = max(is_listed)`,
  ),
  sqlCheck(
    'market-run',
    'Market',
    `SELECT markets.serial, created_at AS time, 'has a status and a run that do not go together.'
       AS finding
     FROM markets LEFT JOIN runs ON runs.market = markets.serial
     WHERE CASE
       WHEN status = 6 THEN ifnull(run ->> '$.kind', '') <> 'SETTLE' OR is_done <> 1
       WHEN status = 7 THEN ifnull(run ->> '$.kind', '') <> 'CANCEL'
       WHEN status = 5 THEN ifnull(run ->> '$.kind', 'SETTLE') <> 'SETTLE' OR is_done = 1
       ELSE run IS NOT NULL END
     UNION ALL
     SELECT markets.serial, created_at, 'has a run whose phase and mark of being done differ.'
     FROM runs JOIN markets ON markets.serial = market
     WHERE (run ->> '$.phase' = 'DONE') <> is_done`,
  ),
]
