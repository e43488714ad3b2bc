// How much memory a process occupies, as Linux reports it.

import { readFileSync } from 'node:fs'

/** null on other systems, or if there is no such process. */
export function residentMiB(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kib = /VmRSS:\s+(\d+)/.exec(status)?.[1]
    return kib === undefined ? null : Number(kib) / 1024
  } catch {
    return null
  }
}
