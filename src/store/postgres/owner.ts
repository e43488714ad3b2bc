// The identity of a service for others on the same database. Its place is its data folder, which is
// locked: a service that starts there need not wait for the lease of the previous process. A copy
// of the folder is another place, because both may be in use.

import { createHash, randomUUID } from 'node:crypto'
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
  /** Identifies the process among those of the node; see `isSameFolder`. */
  readonly incarnation: string
}

export function ownerIn(folder: string): Owner {
  const nodeId = placeIn(folder)
  const origin = originOf(folder)
  const place = `${hostname().replaceAll(' ', '-')} ${nodeId} ${origin}`
  const incarnation = `${origin}-${randomUUID()}`
  return { place, nodeId, incarnation, name: `${place} ${process.pid} ${incarnation}` }
}

/** Whether an earlier process has held the lock of the same folder, and so has ended. */
export function isSameFolder(incarnation: string, earlier: string): boolean {
  return earlier.startsWith(`${incarnation.split('-')[0]}-`)
}

/** The node of an owner; empty for the owner of a shard that nobody has owned. */
export function nodeIdOf(name: string): string {
  return name.split(' ')[1] ?? ''
}

/** For error messages. */
export function shownOwner(name: string): string {
  const [host = 'unknown', , ...rest] = name.split(' ')
  return `process ${rest.at(-2) ?? 'unknown'} on ${host}`
}

// A copy of a whole disk has the same ids and inodes. It runs on another machine, or as another
// device.
function originOf(folder: string): string {
  const { dev, ino } = statSync(join(folder, 'place.id'))
  return createHash('sha256').update(`${machineStart()} ${dev} ${ino}`).digest('hex').slice(0, 12)
}

/** Identifies the machine since it was started; empty where the system has no such id. */
function machineStart(): string {
  return readOrNull('/proc/sys/kernel/random/boot_id') ?? ''
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
