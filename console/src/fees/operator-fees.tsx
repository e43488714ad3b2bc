// The fees of an operator: one rate for both sides of a trade, or a schedule.

import { NumberField } from '../parts/number-field.tsx'
import { FeeExample, FeeFields } from './fee-fields.tsx'
import { exampleFee, percentBounds, type TypedFees } from './fees.ts'

type Props = {
  /** The one rate, as typed. */
  readonly fee: string
  readonly onFee: (fee: string) => void
  readonly fees: TypedFees
  readonly onFees: (fees: TypedFees) => void
}

export function OperatorFees({ fee, onFee, fees, onFees }: Props) {
  const example = exampleFee('LINEAR', fee)
  return (
    <FeeFields fees={fees} onFees={onFees} usual="One rate">
      <NumberField
        name="Fee in percent"
        {...percentBounds}
        value={fee}
        onValue={onFee}
        hint="Of shares × price, for both sides. Empty: the default of the exchange."
      />
      {example === null ? null : <FeeExample taker={example} maker={example} currency="" />}
    </FeeFields>
  )
}
