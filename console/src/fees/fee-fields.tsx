// The choice between the usual fees and a fee schedule, with what it means for 100 shares at 0.50.

import type { ComponentChildren } from 'preact'
import { Segments } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { basisOf, exampleFee, type FeeChoice, percentBounds, type TypedFees } from './fees.ts'

const abouts = {
  LINEAR: `A part of ${basisOf.LINEAR}.`,
  QUADRATIC: `A part of ${basisOf.QUADRATIC}: highest at 0.50, low near 0 and 1.`,
} as const

type Props = {
  readonly fees: TypedFees
  readonly onFees: (fees: TypedFees) => void
  /** What the choice without a schedule is called. */
  readonly usual: string
  /** Shown while it is chosen. */
  readonly children: ComponentChildren
  readonly currency?: string
}

export function FeeFields({ fees, onFees, usual, children, currency = '' }: Props) {
  const choices: readonly (readonly [FeeChoice, string])[] = [
    ['NONE', usual],
    ['LINEAR', 'Linear'],
    ['QUADRATIC', 'Quadratic'],
  ]
  const { choice } = fees
  return (
    <fieldset class="choice-fields">
      <legend>Fees</legend>
      <Segments
        name="Rule of the fees"
        choices={choices}
        value={choice}
        onValue={(to) => onFees({ ...fees, choice: to })}
      />
      {choice === 'NONE' ? (
        children
      ) : (
        <>
          <p class="hint">{abouts[choice]}</p>
          <div class="side-by-side">
            <NumberField
              name="Taker in percent"
              {...percentBounds}
              value={fees.taker}
              onValue={(taker) => onFees({ ...fees, taker })}
              hint="The order that comes in."
            />
            <NumberField
              name="Maker in percent"
              {...percentBounds}
              value={fees.maker}
              onValue={(maker) => onFees({ ...fees, maker })}
              hint="The order that rested."
            />
          </div>
          <FeeExample
            taker={exampleFee(choice, fees.taker)}
            maker={exampleFee(choice, fees.maker)}
            currency={currency}
          />
        </>
      )}
    </fieldset>
  )
}

type ExampleProps = {
  readonly taker: string | null
  readonly maker: string | null
  readonly currency: string
}

/** A dash stands for what is not typed yet. */
export function FeeExample({ taker, maker, currency }: ExampleProps) {
  const inCurrency = (fee: string | null) => (fee === null ? '–' : `${fee} ${currency}`.trim())
  return (
    <p class="fee-example" aria-live="polite">
      100 shares at 0.50: <strong>{inCurrency(taker)}</strong> as taker,{' '}
      <strong>{inCurrency(maker)}</strong> as maker.
    </p>
  )
}
