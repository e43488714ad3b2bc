// Why a PostgreSQL database cannot be used. The service prints the message and exits. No message
// has the user or password of the URL.

import { addressOf, urlsOf } from '../../database-urls.ts'
import { SetupProblem, StoreCannotOpen } from '../start-errors.ts'
import { reasonOf } from './failure-text.ts'
import { codeOf } from './failures.ts'
import { NoPrimary } from './servers.ts'

export class DatabaseInUse extends StoreCannotOpen {
  override readonly name = 'DatabaseInUse'

  constructor(owner: string) {
    super(`The database is in use by another Outcry service (${owner}); stop that one first.`)
  }
}

const wrongPassword = new Set(['28000', '28P01'])
const noDatabase = '3D000'
const noRight = '42501'
const locked = '55P03'
const isReadOnly = '25006'

/** The reason why a server could not be reached or used. */
export function cannotOpen(cause: unknown, url: string): StoreCannotOpen {
  if (cause instanceof StoreCannotOpen) return cause
  if (cause instanceof NoPrimary) {
    return cannotOpenBecause(`Of the PostgreSQL servers of DATABASE_URL, ${cause.message}.`, cause)
  }
  const server = serverOf(url)
  const reason = reasonOf(cause)
  const code = codeOf(cause)
  if (code === null) return cannotOpenBecause(`${server} cannot be reached: ${reason}.`, cause)
  if (wrongPassword.has(code))
    return cannotOpenBecause(`${server} refuses the user name or the password.`, cause)
  if (code === noDatabase)
    return cannotOpenBecause(`${server} has no such database: ${reason}.`, cause)
  if (code === noRight)
    return cannotOpenBecause(`${server} denies a required permission: ${reason}.`, cause)
  if (code === isReadOnly) return standby(url)
  if (code === locked) {
    return cannotOpenBecause(
      `${server} is locked by the start of another service; try again.`,
      cause,
    )
  }
  return cannotOpenBecause(`${server} cannot be used: ${reason}.`, cause)
}

export function standby(url: string): StoreCannotOpen {
  return new StoreCannotOpen(`${serverOf(url)} is read-only; use the primary.`)
}

export function tooOld(url: string, version: string, least: number): StoreCannotOpen {
  const needed = `${least} or newer is needed`
  return new StoreCannotOpen(`${serverOf(url)} is version ${version}; ${needed}.`)
}

export function wrongEncoding(url: string, encoding: string, needed: string): SetupProblem {
  const database = `The database of DATABASE_URL (${addressesOf(url)})`
  const advice = `create one with ENCODING '${needed}' TEMPLATE template0`
  return new SetupProblem(`${database} has the encoding ${encoding}, not ${needed}; ${advice}.`)
}

export function madeByNewerVersion(): StoreCannotOpen {
  return new StoreCannotOpen(
    'The database was written by a newer version of Outcry; start that version.',
  )
}

export function madeByAnotherVersion(): StoreCannotOpen {
  return new StoreCannotOpen('The tables are of another version; start the service.')
}

function cannotOpenBecause(message: string, cause: unknown): StoreCannotOpen {
  return new StoreCannotOpen(message, { cause })
}

function serverOf(setting: string): string {
  return `The PostgreSQL server of DATABASE_URL (${addressesOf(setting)})`
}

function addressesOf(setting: string): string {
  return urlsOf(setting).map(addressOf).join(', ')
}
