// Price bands: how far from the reference price of an outcome one command may trade.

import { type Static, Type } from 'typebox'
import { decimal, nullable, priceStep } from './fields.ts'

const about =
  'The furthest from the reference price at which one command may trade: the lastPrice of the ' +
  'outcome before the command, or else its midPrice; without either, at any price. A multiple ' +
  `of ${priceStep}.`
const suspends =
  'Whether the market becomes SUSPENDED, with the reason PRICE_BAND, when an order meets prices ' +
  'outside of the band.'

/** As clients send it. */
export const PriceBandInput = nullable(
  Type.Object(
    {
      maxMove: Type.Number({
        minimum: 0.0001,
        maximum: 0.99,
        description: about,
        examples: [0.1],
      }),
      suspendOnBand: Type.Optional(Type.Boolean({ default: false, description: suspends })),
    },
    {
      additionalProperties: false,
      description:
        'null for no band. It can be changed until the market is RESOLVED or CANCELLED, and ' +
        'holds for the orders that come after.',
    },
  ),
)
export type PriceBandInput = Static<typeof PriceBandInput>

/** As answers show it. */
export const PriceBand = nullable(
  Type.Object(
    { maxMove: decimal('0.1'), suspendOnBand: Type.Boolean({ description: suspends }) },
    { description: 'How far from the reference price one command may trade; null for any price.' },
  ),
)

/** As events have it. */
export const PublishedPriceBand = nullable(
  Type.Object({ maxMove: Type.Number(), suspendOnBand: Type.Boolean() }),
)
