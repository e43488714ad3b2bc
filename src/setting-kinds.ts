// The kinds of values that settings have: what is expected of each, and how it is read.

import { isIP } from 'node:net'
import { type AddressBlock, addressBlockIn } from './address-blocks.ts'
import { stepsOfText, textOf } from './core/money.ts'
import { conflictOf, isDatabaseUrl, urlsOf } from './database-urls.ts'

export type Kind<Value> = {
  /** Completes the sentence "PORT must be ...". */
  readonly expected: string
  /** null for an invalid text. */
  readonly read: (text: string) => Value | null
  /** What is wrong with a text that can be read; completes the sentence "PORT must ...". */
  readonly conflict?: (text: string) => string | null
  /** The value is not part of error messages. */
  readonly isSecret?: boolean
}

const addressBlocksMax = 100
const keyLengthMin = 16
const keyLengthMax = 256

export function wholeNumber(min: number, max: number): Kind<number> {
  const read = (text: string) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : null
    return value !== null && value >= min && value <= max ? value : null
  }
  return { expected: `a whole number from ${min} to ${max}`, read }
}

/** A decimal that becomes a whole number of steps. */
export function steps<Unit extends number>(min: number, max: number, places: number): Kind<Unit> {
  const step = textOf(1, places)
  return {
    expected: `a number from ${textOf(min, places)} to ${textOf(max, places)} in steps of ${step}`,
    read: (text) => {
      const value = stepsOfText(text, places)
      return value !== null && value >= min && value <= max ? (value as Unit) : null
    },
  }
}

export function trueOrFalse(): Kind<boolean> {
  const values = new Map([
    ['true', true],
    ['false', false],
  ])
  return { expected: 'true or false', read: (text) => values.get(text) ?? null }
}

export function oneOf<Word extends string>(words: readonly Word[]): Kind<Word> {
  const expected = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
  return { expected, read: (text) => words.find((word) => word === text) ?? null }
}

export function hostName(): Kind<string> {
  const read = (text: string) =>
    isIP(text) !== 0 || /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,10}$/i.test(text) ? text : null
  return { expected: 'an IP address or a host name', read }
}

/** Addresses and CIDR blocks. */
export function addressBlocks(): Kind<readonly AddressBlock[]> {
  const read = (text: string) => {
    const parts = text.split(',', addressBlocksMax + 1)
    const blocks = parts.map((part) => addressBlockIn(part.trim()))
    if (parts.length > addressBlocksMax || blocks.includes(null)) return null
    return blocks.filter((block) => block !== null)
  }
  const most = `at most ${addressBlocksMax} IP addresses and CIDR blocks`
  return { expected: `${most}, separated by commas, like 10.0.0.0/8,::1`, read }
}

export function folder(): Kind<string> {
  return { expected: 'the path of a folder', read: (text) => (/\S/.test(text) ? text : null) }
}

export function databaseAddress(): Kind<string> {
  return {
    expected:
      'a URL like postgres://name:password@host:5432/database, ' +
      'or several for a primary and its standbys, separated by commas',
    read: (text) => (urlsOf(text).every(isDatabaseUrl) ? text : null),
    conflict: (text) => conflictOf(urlsOf(text)),
    isSecret: true,
  }
}

export function accessKey(): Kind<string> {
  const expected = `${keyLengthMin} to ${keyLengthMax} visible ASCII characters`
  const pattern = new RegExp(`^[!-~]{${keyLengthMin},${keyLengthMax}}$`)
  return { expected, read: (text) => (pattern.test(text) ? text : null), isSecret: true }
}

export function secretsKey(): Kind<string> {
  const read = (text: string) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : null)
  return { expected: '64 hexadecimal digits', read, isSecret: true }
}

export function filePath(): Kind<string> {
  return { expected: 'the path of a file', read: (text) => (/\S/.test(text) ? text : null) }
}

export function hostAndPort(): Kind<string> {
  const read = (text: string) => {
    const parts = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]{1,253})):(\d{1,5})$/i.exec(text)
    const number = Number(parts?.[3])
    return parts !== null && number >= 1 && number <= 65_535 ? text : null
  }
  return { expected: 'a host and a port, like node-1.example:50056', read }
}

/** Of an address as hostAndPort reads it. */
export function hostIn(address: string): string {
  return address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '')
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
