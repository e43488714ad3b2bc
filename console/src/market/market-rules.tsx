// What the owner has set for the trading in a market, where it differs from the usual.

import { exampleFee } from '../fees/fees.ts'
import { owns } from '../identity.ts'
import type { FeeSchedule, Market } from '../wire.ts'
import { bandInWords } from './price-band.ts'

export function MarketRules({ market }: { market: Market }) {
  // Other operators pay their own fees here.
  const fees = owns(market) ? market.feeSchedule : null
  const band = market.priceBand
  if (fees === null && band === null) return null
  return (
    <dl class="facts">
      {fees === null ? null : (
        <Rule name="Fees of your players" value={feesInWords(fees, market)} />
      )}
      {band === null ? null : <Rule name="Price band" value={bandInWords(band)} />}
    </dl>
  )
}

function Rule({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** "Quadratic: taker 7%, maker 0.5%. For 100 shares at 0.50: 1.75 and 0.125 USD." */
function feesInWords(fees: FeeSchedule, { currency }: Market): string {
  const { model, takerPercent, makerPercent } = fees
  const rule = model === 'LINEAR' ? 'Linear' : 'Quadratic'
  const [taker, maker] = [exampleFee(model, takerPercent), exampleFee(model, makerPercent)]
  const example = `For 100 shares at 0.50: ${taker} and ${maker} ${currency}.`
  return `${rule}: taker ${takerPercent}%, maker ${makerPercent}%. ${example}`
}
