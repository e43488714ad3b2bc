// Makes a file, or the names in a folder, survive a power failure.

import { closeSync, fsyncSync, openSync } from 'node:fs'

export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
