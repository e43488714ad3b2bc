// Reads the numbers that users type. What can be read in two ways is refused with a sentence. Pure.

import { ConsoleError } from './explain.ts'

/** Neither if nothing is typed. */
export type Reading = { readonly value: number | null; readonly fault: string | null }

export type Bounds = {
  /** Only excludes readings of an ambiguous text; larger numbers are for the exchange to reject. */
  readonly max?: number
  /** Whether it may begin with a minus. */
  readonly isSigned?: boolean
}

/** What a double holds exactly. */
const digitsMax = 15

// One separator at most: it is taken for the decimal point, unless three digits follow.
const simple = /^(\d*)([.,]?)(\d*)$/
// Groups of three after the same separator, then perhaps another one as the decimal point.
const inGroups = /^([1-9]\d{0,2})([\s.,'’_])\d{3}(?:\2\d{3})*(?:([.,])\d*)?$/
const perhapsGroup = /^[1-9]\d{0,2}[.,]\d{3}$/

export function readNumber(
  typed: string,
  { max = Number.POSITIVE_INFINITY, isSigned = false }: Bounds = {},
): Reading {
  if (isSigned && /^\s*[-−]\s*\d/.test(typed)) return negated(readNumber(typed.replace(/[-−]/, '')))
  const text = typed.trim()
  if (text === '') return { value: null, fault: null }
  const digits = text.replace(/\D/g, '')
  const isNumber = digits !== '' && (simple.test(text) || isGrouped(text))
  if (!isNumber) return refused(`“${text}” is not a number. Type it like 1000 or 0.5.`)
  if (digits.length > digitsMax) return refused(`“${text}” has too many digits.`)
  const pointed = Number(text.replace(',', '.'))
  if (perhapsGroup.test(text)) {
    const whole = Number(digits)
    if (whole <= max) {
      return refused(`“${text}” can mean ${whole} or ${pointed}. Type ${whole} or ${pointed}.`)
    }
    return { value: pointed, fault: null }
  }
  return { value: simple.test(text) ? pointed : ungrouped(text), fault: null }
}

/** The number that is typed; null if it is empty. Throws the sentence if it cannot be read. */
export function numberOf(typed: string, bounds: Bounds = {}): number | null {
  const { value, fault } = readNumber(typed, bounds)
  if (fault !== null) throw new ConsoleError(fault)
  return value
}

function negated({ value, fault }: Reading): Reading {
  return { value: value === null ? null : -value, fault }
}

function refused(fault: string): Reading {
  return { value: null, fault }
}

function isGrouped(text: string): boolean {
  const [, , separator, point] = inGroups.exec(text) ?? []
  return separator !== undefined && separator !== point
}

function ungrouped(text: string): number {
  const [, , separator = '', point] = inGroups.exec(text) ?? []
  const joined = text.replaceAll(separator, '')
  return Number(point === undefined ? joined : joined.replace(point, '.'))
}
