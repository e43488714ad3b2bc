// How much a player may buy, and how much of that it uses.

import { type Static, type TSchema, Type } from 'typebox'
import { numberOf } from '../../core/money.ts'
import { limitDecimals } from '../../core/state/limits.ts'
import type { LimitName } from '../../core/words.ts'
import { decimal, Id, nullable } from './fields.ts'

/** The most that a limit can be set to; with null there is none. */
const limitMax = 1_000_000_000

const about = {
  maxOrderCost:
    'What one BUY order or mint may cost, without fees: shares x price; what a MARKET order ' +
    'would match now; the whole amount of an order by amount; 1 for each complete set.',
  maxOutcomeShares: 'Of one outcome: shares held, wanted by open BUY orders and by this one.',
  maxMarketCost: 'In one market: the cost of positions, of open BUY orders and of this one.',
} satisfies Readonly<Record<LimitName, string>>

function fieldsOf<Schema extends TSchema>(field: (name: LimitName) => Schema) {
  return {
    maxOrderCost: Type.Optional(field('maxOrderCost')),
    maxOutcomeShares: Type.Optional(field('maxOutcomeShares')),
    maxMarketCost: Type.Optional(field('maxMarketCost')),
  }
}

const leftOut = "null: no limit. Left out: the operator's default, if it is of a player."

function inputOf(name: LimitName) {
  const step = numberOf(1, limitDecimals[name])
  const multiple = `A multiple of ${step.toFixed(limitDecimals[name])}.`
  const description = `${about[name]} ${multiple} ${leftOut}`
  return nullable(Type.Number({ minimum: 0, maximum: limitMax, description }))
}

/** As clients send them. */
export const LimitsInput = nullable(
  Type.Object(fieldsOf(inputOf), { additionalProperties: false, examples: [{ maxOrderCost: 50 }] }),
)
export type LimitsInput = Static<typeof LimitsInput>

const textOf = (name: LimitName) => nullable(decimal('50', `${about[name]} null: no limit.`))

/** As answers show them: those that were sent. */
export const Limits = nullable(Type.Object(fieldsOf(textOf)))
export type Limits = Static<typeof Limits>

/** As events show them. */
export const LimitsInEvents = nullable(
  Type.Object(fieldsOf((name) => nullable(Type.Number({ description: about[name] })))),
)

export const LimitsInForce = Type.Object({
  maxOrderCost: textOf('maxOrderCost'),
  maxOutcomeShares: textOf('maxOutcomeShares'),
  maxMarketCost: textOf('maxMarketCost'),
})
export type LimitsInForce = Static<typeof LimitsInForce>

export const Usage = Type.Object({
  markets: Type.Array(
    Type.Object({
      marketId: Id,
      cost: decimal('44.5', 'Of the positions and, at their limits, of the open BUY orders.'),
      outcomes: Type.Array(
        Type.Object({
          outcomeId: Id,
          shares: decimal('90', 'Held, and wanted by open BUY orders.'),
        }),
      ),
    }),
    { description: 'Those that have not ended and in which anything is used, oldest first.' },
  ),
})
export type Usage = Static<typeof Usage>
