// The limits of players as they are typed, sent and shown. Pure.

import { ConsoleError } from '../explain.ts'
import { grouped, money } from '../figures.ts'
import { numberOf } from '../typed-number.ts'
import type { Limits, LimitsRequest } from '../wire.ts'
import { type LimitName, limitNames, limitWords } from './limit-words.ts'

/** Left out, null, or a number. */
export type LimitChoice = 'DEFAULT' | 'NONE' | 'OWN'
export type TypedLimit = { readonly choice: LimitChoice; readonly typed: string }
export type TypedLimits = Readonly<Record<LimitName, TypedLimit>>

export function typedLimitsOf(limits: Limits | null): TypedLimits {
  const typedOf = (name: LimitName): TypedLimit => {
    const limit = limits?.[name]
    if (limit === undefined) return { choice: 'DEFAULT', typed: '' }
    return limit === null ? { choice: 'NONE', typed: '' } : { choice: 'OWN', typed: limit }
  }
  return {
    maxOrderCost: typedOf('maxOrderCost'),
    maxOutcomeShares: typedOf('maxOutcomeShares'),
    maxMarketCost: typedOf('maxMarketCost'),
  }
}

/** Throws the sentence if an own limit is missing or cannot be read. */
export function requestOf(typed: TypedLimits): LimitsRequest {
  return limitsBy((name) => {
    const { choice, typed: text } = typed[name]
    if (choice !== 'OWN') return choice === 'NONE' ? null : undefined
    const limit = numberOf(text)
    if (limit !== null) return limit
    throw new ConsoleError(`${limitWords[name].name}: enter the limit.`)
  })
}

/** The limits as they are, to be sent with something else that changes. */
export function keptLimits(limits: Limits | null): LimitsRequest {
  return limitsBy((name) => {
    const limit = limits?.[name]
    return typeof limit === 'string' ? Number(limit) : limit
  })
}

function limitsBy(limitOf: (name: LimitName) => number | null | undefined): LimitsRequest {
  const entries = limitNames.map((name) => [name, limitOf(name)] as const)
  return Object.fromEntries(entries.filter(([, limit]) => limit !== undefined))
}

export function amountOf(name: LimitName, decimal: string): string {
  return name === 'maxOutcomeShares' ? grouped(decimal) : money(decimal)
}

export function limitText(name: LimitName, limit: string | null): string {
  return limit === null ? 'No limit' : amountOf(name, limit)
}

export type Use = {
  readonly text: string
  /** Of the limit, at most 1; null without a limit. */
  readonly share: number | null
  /** As after a limit was lowered. */
  readonly isOver: boolean
}

/** "44.50 of 200.00". */
export function useOf(name: LimitName, used: string, limit: string | null): Use {
  const text = amountOf(name, used)
  if (limit === null) return { text, share: null, isOver: false }
  const [count, max] = [Number(used), Number(limit)]
  const share = max === 0 ? (count === 0 ? 0 : 1) : Math.min(1, count / max)
  return { text: `${text} of ${amountOf(name, limit)}`, share, isOver: count > max }
}
