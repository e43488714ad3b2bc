// Fee schedules: what an operator's side of a trade pays as taker and as maker.

import { type Static, Type } from 'typebox'
import { type FeeModel, feeModels } from '../../core/fee.ts'
import { decimal, nullable, words } from './fields.ts'

const about =
  'LINEAR: shares x price x percent. QUADRATIC: shares x price x (1 - price) x percent, rounded ' +
  'down to 0.0000000001 for each trade.'

const Model = Type.Unsafe<FeeModel>({ ...words(feeModels), description: about })
const percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })

/** As clients send it. */
export const FeeScheduleInput = nullable(
  Type.Object(
    {
      model: Model,
      takerPercent: percent('Of the incoming order; a multiple of 0.01.'),
      makerPercent: percent('Of an order that rested; a multiple of 0.01.'),
    },
    { additionalProperties: false },
  ),
)
export type FeeScheduleInput = Static<typeof FeeScheduleInput>

/** As answers show it. */
export const FeeSchedule = nullable(
  Type.Object({ model: Model, takerPercent: decimal('7'), makerPercent: decimal('0') }),
)
export type FeeSchedule = Static<typeof FeeSchedule>
