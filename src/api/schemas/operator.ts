// Operators and their keys: the administrator's records.

import { type Static, Type } from 'typebox'
import { FeeSchedule, FeeScheduleInput } from './fee-schedule.ts'
import {
  Currency,
  decimal,
  Id,
  name,
  named,
  nullable,
  record,
  request,
  ShardNumber,
  Time,
  words,
} from './fields.ts'

/** What a key may be used for; none includes another. */
export const scopes = ['read', 'trade', 'manage'] as const
export type Scope = (typeof scopes)[number]

const Name = name(1, 128)
const Currencies = Type.Array(Currency, { minItems: 1, maxItems: 64, uniqueItems: true })
const FeePercent = nullable(
  Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'A multiple of 0.01; null for the default of the service.',
  }),
)

const OperatorFees = Type.Unsafe<FeeScheduleInput>({
  ...FeeScheduleInput,
  description: 'Instead of feePercent; null for feePercent in both roles.',
})

export const Operator = record('Operator', {
  id: Id,
  name: Type.String(),
  supportedCurrencies: Type.Array(Type.String()),
  feePercent: Type.Unsafe<string | null>({ ...decimal('2'), type: ['string', 'null'] }),
  feeSchedule: FeeSchedule,
  isActive: Type.Boolean(),
  shard: Type.Integer({ description: 'The shard with its records; it never changes.' }),
  createdAt: Time,
  updatedAt: Time,
})
export type Operator = Static<typeof Operator>

export const NewOperator = record('NewOperator', {
  operator: named(Operator),
  apiKey: Type.String({ description: 'Shown only in this response.' }),
})

export const CreateOperator = request(
  'CreateOperator',
  {
    name: Name,
    supportedCurrencies: Type.Optional(Currencies),
    feePercent: Type.Optional(FeePercent),
    feeSchedule: Type.Optional(OperatorFees),
    shard: Type.Optional(
      Type.Integer({
        ...ShardNumber,
        description: 'Default: the shard with the fewest operators.',
      }),
    ),
  },
  { example: { name: 'Acme', supportedCurrencies: ['USD', 'EUR'], feePercent: 1.5 } },
)
export type CreateOperator = Static<typeof CreateOperator>

export const EditOperator = request(
  'EditOperator',
  {
    name: Type.Optional(Name),
    supportedCurrencies: Type.Optional(Currencies),
    feePercent: Type.Optional(FeePercent),
    feeSchedule: Type.Optional(OperatorFees),
    isActive: Type.Optional(Type.Boolean()),
  },
  { example: { isActive: false } },
)
export type EditOperator = Static<typeof EditOperator>

export const Key = record('Key', {
  id: Id,
  operatorId: Id,
  label: nullable(Type.String()),
  scopes: Type.Array(words(scopes)),
  prefix: Type.String({ description: 'The first characters of the key, to tell keys apart.' }),
  expiresAt: nullable(Time),
  lastUsedAt: nullable({
    ...Time,
    description: 'When a request with the key was accepted, to about five minutes; null for never.',
  }),
  createdAt: Time,
})

export const Me = record('Me', {
  operatorId: Id,
  operatorName: Type.String(),
  keyId: Id,
  keyLabel: nullable(Type.String()),
  scopes: Type.Array(words(scopes)),
  expiresAt: nullable(Time),
})

export const NewKey = record('NewKey', {
  key: named(Key),
  apiKey: Type.String({ description: 'Shown only in this response.' }),
})

export const CreateKey = request(
  'CreateKey',
  {
    label: Type.Optional(nullable(name(1, 128))),
    scopes: Type.Optional(
      Type.Array(words(scopes), {
        minItems: 1,
        maxItems: scopes.length,
        uniqueItems: true,
        description: 'Defaults to all scopes.',
      }),
    ),
    expiresAt: Type.Optional(nullable(Time)),
  },
  { example: { label: 'dashboard', scopes: ['read'] } },
)
