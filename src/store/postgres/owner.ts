// Who a service is, for the others on the same database. Its place is its data folder, which is
// locked: who starts there knows that the one before is dead, and need not wait for its lease.

import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { FolderUnusable } from '../start-errors.ts'

export type Owner = {
  /** Of one process only. */
  readonly name: string
  /** The names of all processes that ran in the same folder begin so. */
  readonly place: string
}

export function ownerIn(folder: string): Owner {
  const place = `${hostname().replaceAll(' ', '-')} ${placeIn(folder)}`
  return { place, name: `${place} ${process.pid} ${randomUUID()}` }
}

/** For people. */
export function shownOwner(name: string): string {
  const [host = 'unknown', , pid = 'unknown'] = name.split(' ')
  return `process ${pid} on ${host}`
}

function placeIn(folder: string): string {
  const file = join(folder, 'place.id')
  try {
    const text = readOrNull(file)
    if (text !== null && /^[0-9a-f-]{36}$/.test(text)) return text
    const made = randomUUID()
    writeFileSync(file, made, { mode: 0o600, flush: true })
    return made
  } catch (error) {
    throw new FolderUnusable(folder, error)
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
