// What an error of PostgreSQL means: whether a turn is certainly not stored, whether the disk is
// full, and whether the connection is lost.

import pg from 'pg'
import { raised } from './commit-function.ts'

const diskFull = '53100'
const statementCancelled = '57014'
const statementUnclear = '40003'
/** The server ended a session that was idle inside a transaction. */
const idleTooLong = '25P03'
/** The server has become a standby: another one may be the primary. */
const readOnly = '25006'
/** Invalid data, constraint violations, conflicts, missing tables, a read-only server. */
const sureClasses = new Set(['22', '23', '25', '40', '42', '54'])
const sureCodes = new Set<string>([diskFull, '53200', '55P03', raised.fenced, raised.notThere])

/** The SQLSTATE, or null for an error that the server did not send. */
export function codeOf(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null
}

/** The server has rolled the statement back. After any other error its outcome is unknown. */
export function isRolledBack(error: unknown): boolean {
  const code = codeOf(error)
  if (code === null || code === statementUnclear) return false
  return sureCodes.has(code) || sureClasses.has(code.slice(0, 2))
}

export function isFull(error: unknown): boolean {
  return codeOf(error) === diskFull
}

/** The connection is lost, or the server is shutting down. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (code === null || code === idleTooLong || code === readOnly) return true
  return code.startsWith('08') || code.startsWith('57P')
}

/** The server ended a statement that took too long. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === statementCancelled
}
