// A folder of the bench, which is deleted when it is no longer needed, at the latest on exit.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onExit } from './clean-up.ts'

export type TemporaryFolder = { readonly path: string; remove(): void }

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'outcry-bench-'))
  // On exit a server that was killed may still be creating a file.
  const deleteAll = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  const cancelDelete = onExit(deleteAll)
  const remove = () => {
    cancelDelete()
    deleteAll()
  }
  return { path, remove }
}
