// The identity of a service for others on the same database. Its place is its data folder, which is
// locked: a service that starts there need not wait for the lease of the previous process. A copy
// of the folder is another place, because both may be in use.

import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { FolderUnusable } from '../start-errors.ts'

export type Owner = {
  /** Unique for each process. */
  readonly name: string
  /** The common beginning of the names of all processes in the same folder. */
  readonly place: string
  /** Identifies the place among the nodes of a cluster. */
  readonly nodeId: string
  /** Identifies the process among those of the node. */
  readonly incarnation: string
}

export function ownerIn(folder: string): Owner {
  const nodeId = placeIn(folder)
  const place = `${hostname().replaceAll(' ', '-')} ${nodeId}`
  const incarnation = randomUUID()
  return { place, nodeId, incarnation, name: `${place} ${process.pid} ${incarnation}` }
}

/** The node of an owner; empty for the owner of a shard that nobody has owned. */
export function nodeIdOf(name: string): string {
  return name.split(' ')[1] ?? ''
}

/** For error messages. */
export function shownOwner(name: string): string {
  const [host = 'unknown', , pid = 'unknown'] = name.split(' ')
  return `process ${pid} on ${host}`
}

function placeIn(folder: string): string {
  const file = join(folder, 'place.id')
  try {
    const [id, inode] = readOrNull(file)?.split(' ') ?? []
    // Files of earlier versions have no inode.
    const isCopy = inode !== undefined && inode !== String(statSync(file).ino)
    if (id !== undefined && /^[0-9a-f-]{36}$/.test(id) && !isCopy) return id
    return writePlace(file)
  } catch (error) {
    throw new FolderUnusable(folder, error)
  }
}

function writePlace(file: string): string {
  const id = randomUUID()
  const opened = openSync(file, 'w', 0o600)
  try {
    writeFileSync(opened, `${id} ${fstatSync(opened).ino}`, { flush: true })
  } finally {
    closeSync(opened)
  }
  return id
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
