// Brakes on trading: of a player, an operator and the whole exchange. With that of a player come
// its limits, with that of an operator the defaults of its players.

import { type Static, Type } from 'typebox'
import { tradingModes } from '../../core/words.ts'
import { Id, named, nullable, Reason, record, request, Time, words } from './fields.ts'
import { Limits, LimitsInForce, LimitsInput, Usage } from './player-limits.ts'

const Mode = Type.Unsafe<(typeof tradingModes)[number]>({
  ...words(tradingModes),
  description:
    'REDUCE_ONLY: only selling, redeeming and cancelling. HALTED: only cancelling. The strictest ' +
    'mode of the player, the operator and the exchange is in force.',
})

const terms = {
  mode: Mode,
  reason: Type.Optional(
    nullable(
      Type.String({ ...Reason, description: 'Required unless the mode is OPEN, which has none.' }),
    ),
  ),
  until: Type.Optional(
    nullable(
      Type.String({
        ...Time,
        description: 'When it is OPEN again by itself; null for never, and if the mode is OPEN.',
      }),
    ),
  ),
  cancelOrders: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'Cancels what the mode forbids: with REDUCE_ONLY the open BUY orders, with HALTED all. ' +
        'The answer comes after the last. Otherwise these orders stay, and may still match.',
    }),
  ),
}

const example = { mode: 'HALTED', reason: 'A lost device', until: '2030-01-01T12:00:00Z' }

const limited = { mode: 'OPEN', limits: { maxOrderCost: 50, maxMarketCost: 200 } }
const withDefaults = { mode: 'OPEN', playerDefaults: { maxOrderCost: 100 } }

export const PutPlayerControls = request(
  'PutPlayerControls',
  { ...terms, limits: Type.Optional(LimitsInput) },
  { example: limited },
)
export type PutPlayerControls = Static<typeof PutPlayerControls>
export const PutOperatorControls = request(
  'PutOperatorControls',
  { ...terms, playerDefaults: Type.Optional(LimitsInput) },
  { example: withDefaults },
)
export type PutOperatorControls = Static<typeof PutOperatorControls>
export const PutOperatorBrake = request('PutOperatorBrake', terms, { example })
export const PutControls = request('PutControls', terms, { example })
export type PutControls = Static<typeof PutControls>

const inForce = {
  mode: words(tradingModes),
  reason: nullable(Type.String({ description: 'null while OPEN.' })),
  until: nullable(Time),
  updatedAt: nullable(Type.String({ ...Time, description: 'null if there is no brake.' })),
}

export const PlayerControls = record('PlayerControls', {
  playerId: Type.String(),
  ...inForce,
  limits: Limits,
  limitsInForce: {
    ...LimitsInForce,
    description: "The player's own limits, and the operator's defaults for the others.",
  },
  usage: Usage,
})
export const OperatorControls = record('OperatorControls', { ...inForce, playerDefaults: Limits })
export const OperatorBrake = record('OperatorBrake', { operatorId: Id, ...inForce })
export const ExchangeControls = record('ExchangeControls', inForce)
export type ExchangeControls = Static<typeof ExchangeControls>

const cancelled = Type.Integer({ description: 'How many orders were cancelled.' })

export const PlayerControlsChange = record('PlayerControlsChange', {
  controls: named(PlayerControls),
  cancelled,
})
export const OperatorControlsChange = record('OperatorControlsChange', {
  controls: named(OperatorControls),
  cancelled,
})
export const OperatorBrakeChange = record('OperatorBrakeChange', {
  controls: named(OperatorBrake),
  cancelled,
})
export const ExchangeControlsChange = record('ExchangeControlsChange', {
  controls: named(ExchangeControls),
  cancelled,
})

export const TradingStatus = record('TradingStatus', {
  trading: Type.Boolean({ description: 'false while the whole exchange is HALTED.' }),
  mode: words(tradingModes),
  reason: nullable(Type.String()),
  since: nullable(
    Type.String({ ...Time, description: 'Since when; null if it was never another.' }),
  ),
})
