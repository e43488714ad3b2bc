// The price band of a market in its forms, with what it means from a price of 0.50.

import { CheckField } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { bandExample, moveBounds, type TypedBand } from './price-band.ts'

const moveSteps = { step: 0.01, min: 0.01, max: 0.99, start: 0.1 }

type Props = { readonly band: TypedBand; readonly onBand: (band: TypedBand) => void }

export function BandFields({ band, onBand }: Props) {
  return (
    <>
      <CheckField
        name="Price band"
        hint="One order can move a price only so far, so that a typing error stays small."
        isOn={band.isOn}
        onChange={(isOn) => onBand({ ...band, isOn })}
      />
      {band.isOn ? (
        <div class="below-check stack">
          <NumberField
            name="Largest move"
            {...moveBounds}
            value={band.maxMove}
            onValue={(maxMove) => onBand({ ...band, maxMove })}
            placeholder="0.10"
            steps={moveSteps}
            hint={bandExample(band.maxMove)}
          />
          <CheckField
            name="Suspend the market"
            hint="When an order meets prices beyond the band."
            isOn={band.suspends}
            onChange={(suspends) => onBand({ ...band, suspends })}
          />
        </div>
      ) : null}
    </>
  )
}
