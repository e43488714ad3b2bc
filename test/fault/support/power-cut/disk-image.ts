// What a disk may hold after a power cut: everything that was synced, and of everything else
// nothing, a part, or single sectors, in any order.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Random } from '../../../support/process/random.ts'
import type { DiskEntry } from './disk-log.ts'

export const unsyncedFates = ['dropped', 'kept in part', 'torn', 'kept'] as const
/** What becomes of changes that were not synced. */
export type UnsyncedFate = (typeof unsyncedFates)[number]

export type Files = ReadonlyMap<string, Buffer>

const sectorBytes = 512

/** In shared memory and rebuilt by the database, so it does not survive a power cut. */
const isVolatile = (path: string) => path.endsWith('-shm')

export async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || isVolatile(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    files.set(path.slice(folder.length + 1), await readFile(path))
  }
  return files
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

export type Cut = {
  /** The first entry that did not happen. */
  readonly at: number
  /** Of a file; that of the folder is the fate of names. Each file is written on its own. */
  readonly fateOf: (path: string) => UnsyncedFate
}

export type Image = { readonly files: Files /** Changes not synced. */; readonly unsynced: number }

/** The files after a cut, from those before the first entry. */
export function imageAt(
  entries: readonly DiskEntry[],
  { at, fateOf }: Cut,
  { before, random }: { readonly before: Files; readonly random: Random },
): Image {
  const synced = syncedBefore(entries, at)
  const files = new Map<string, Buffer>(
    Array.from(before, ([path, content]) => [path, Buffer.from(content)]),
  )
  let unsynced = 0
  for (let index = 0; index < at; index += 1) {
    const entry = entries[index]!
    if (entry.kind === 'sync' || isVolatile(entry.path)) continue
    // A name is durable once its folder is synced, a content once its file is.
    const owner = isOfFolder(entry) ? '' : entry.path
    if (index < (synced.get(owner) ?? 0)) apply(files, entry)
    else {
      unsynced += 1
      for (const kept of survivingParts(entry, fateOf(owner), random)) apply(files, kept)
    }
  }
  return { files, unsynced }
}

/** For each path the entry up to which its changes are durable. */
function syncedBefore(entries: readonly DiskEntry[], at: number): Map<string, number> {
  const synced = new Map<string, number>()
  for (const entry of entries.slice(0, at)) {
    if (entry.kind === 'sync') synced.set(entry.path, entry.from)
  }
  return synced
}

function isOfFolder({ kind }: DiskEntry): boolean {
  return kind === 'create' || kind === 'unlink' || kind === 'rename'
}

function survivingParts(entry: DiskEntry, fate: UnsyncedFate, random: Random): DiskEntry[] {
  if (fate === 'dropped') return []
  if (fate === 'kept') return [entry]
  if (fate === 'kept in part' || entry.kind !== 'write') return random.chance(50) ? [entry] : []
  const parts: DiskEntry[] = []
  for (let from = 0; from < entry.data.length; from += sectorBytes) {
    if (random.chance(50)) continue
    const data = entry.data.subarray(from, from + sectorBytes)
    parts.push({ ...entry, offset: entry.offset + from, data })
  }
  return parts
}

function apply(files: Map<string, Buffer>, entry: DiskEntry): void {
  const { path } = entry
  const content = files.get(path)
  switch (entry.kind) {
    case 'create':
      if (content === undefined) files.set(path, Buffer.alloc(0))
      break
    case 'unlink':
      files.delete(path)
      break
    case 'rename':
      if (content !== undefined) files.set(entry.to, content)
      files.delete(path)
      break
    case 'truncate':
      if (content !== undefined) files.set(path, resized(content, entry.size))
      break
    case 'write': {
      // Without its name, a file is lost with all of its content.
      if (content === undefined) break
      const end = entry.offset + entry.data.length
      const grown = content.length < end ? resized(content, end) : content
      entry.data.copy(grown, entry.offset)
      files.set(path, grown)
      break
    }
    default:
      break
  }
}

function resized(content: Buffer, size: number): Buffer {
  const changed = Buffer.alloc(size)
  content.copy(changed)
  return changed
}
