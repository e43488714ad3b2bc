// The identity of a service for others on the same database. Its place is its data folder, which is
// locked: a service that starts there need not wait for the lease of the previous process.

import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { FolderUnusable } from '../start-errors.ts'

export type Owner = {
  /** Unique for each process. */
  readonly name: string
  /** The common beginning of the names of all processes in the same folder. */
  readonly place: string
}

export function ownerIn(folder: string): Owner {
  const place = `${hostname().replaceAll(' ', '-')} ${placeIn(folder)}`
  return { place, name: `${place} ${process.pid} ${randomUUID()}` }
}

/** For error messages. */
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
