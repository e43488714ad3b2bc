// Why a database cannot be used, each in one sentence for whoever starts the service. None of them
// shows the address, which may hold a password.

import { StoreCannotOpen } from '../start-errors.ts'
import { codeOf, reasonOf } from './failures.ts'
import { shownOwner } from './owner.ts'

export class DatabaseInUse extends StoreCannotOpen {
  override readonly name = 'DatabaseInUse'

  constructor(owner: string) {
    const other = `another Outcry service (${shownOwner(owner)})`
    super(`The database is in use by ${other}; stop that one first.`)
  }
}

const wrongPassword = new Set(['28000', '28P01'])
const noDatabase = '3D000'
const noRight = '42501'
const locked = '55P03'
const isReadOnly = '25006'

/** What is wrong with a server that could not be reached or used. */
export function cannotOpen(cause: unknown, url: string): StoreCannotOpen {
  if (cause instanceof StoreCannotOpen) return cause
  const server = `The PostgreSQL server of DATABASE_URL (${placeOf(url)})`
  const reason = reasonOf(cause)
  const code = codeOf(cause)
  if (code === null) return because(`${server} cannot be reached: ${reason}.`, cause)
  if (wrongPassword.has(code)) return because(`${server} refuses the name or password.`, cause)
  if (code === noDatabase) return because(`${server} has no such database: ${reason}.`, cause)
  if (code === noRight) return because(`${server} does not give the right to: ${reason}.`, cause)
  if (code === isReadOnly) return standby(url)
  if (code === locked) {
    return because(`${server} is being set up by another start; try again.`, cause)
  }
  return because(`${server} cannot be used: ${reason}.`, cause)
}

export function standby(url: string): StoreCannotOpen {
  const place = placeOf(url)
  return new StoreCannotOpen(
    `The PostgreSQL server of DATABASE_URL (${place}) is read-only; name the primary.`,
  )
}

export function tooOld(url: string, version: string, least: number): StoreCannotOpen {
  const server = `The PostgreSQL server of DATABASE_URL (${placeOf(url)})`
  return new StoreCannotOpen(`${server} is version ${version}; ${least} or newer is needed.`)
}

export function madeByNewerVersion(): StoreCannotOpen {
  return new StoreCannotOpen(
    'The database was made by a newer version of Outcry; start that version.',
  )
}

export function madeByAnotherVersion(): StoreCannotOpen {
  return new StoreCannotOpen('The tables are of another version; start the service.')
}

function because(message: string, cause: unknown): StoreCannotOpen {
  return new StoreCannotOpen(message, { cause })
}

function placeOf(url: string): string {
  const { host = '', pathname = '' } = URL.parse(url) ?? {}
  return `${host}${pathname}`
}
