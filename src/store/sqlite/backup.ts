// Copies the database while it is in use, also from another process than the one that uses it.

import { renameSync, rmSync, statSync } from 'node:fs'
import { backup } from 'node:sqlite'
import { numberOf } from './cells.ts'
import { openReader } from './connection.ts'

/** How much of it is written, in bytes. */
export type BackupProgress = (progress: { done: number; total: number }) => void

const progressEveryMs = 500

/**
 * All pages are copied in one step: in several, every turn that is stored meanwhile would make it
 * begin again. The file appears under its name only when it is whole; one that is there is
 * replaced.
 */
export async function backupDatabase(options: {
  readonly folder: string
  readonly file: string
  readonly progress?: BackupProgress
}): Promise<void> {
  const { folder, file, progress = () => {} } = options
  const unfinished = `${file}.part`
  rmSync(unfinished, { force: true })
  const database = openReader(folder)
  let timer: NodeJS.Timeout | undefined
  try {
    const pages = numberOf(database.prepare('PRAGMA page_count').get()?.page_count)
    const total = pages * numberOf(database.prepare('PRAGMA page_size').get()?.page_size)
    timer = setInterval(() => progress({ done: sizeOf(unfinished), total }), progressEveryMs)
    // Pages may be added before the copy begins.
    await backup(database, unfinished, { rate: pages * 2 + 1_000_000 })
    progress({ done: total, total })
    renameSync(unfinished, file)
  } finally {
    clearInterval(timer)
    database.close()
    rmSync(unfinished, { force: true })
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
