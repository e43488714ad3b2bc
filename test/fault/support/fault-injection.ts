// Tools that inject faults: strace, libfaketime and small file systems. Missing tools are installed
// if this process may do so; otherwise the test is reported as NOT RUN.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { TestContext } from 'node:test'

const libraries = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
]

export const isRoot = process.getuid?.() === 0

export function hasStrace(t: TestContext): boolean {
  return isStraceReady() || notRun(t, 'strace is not installed')
}

/** For programs, which have nothing to do without it. */
export function straceOrExit(): void {
  if (isStraceReady()) return
  process.stderr.write('strace is not installed, and this run needs it.\n')
  process.exit(1)
}

function isStraceReady(): boolean {
  const isThere = () => spawnSync('strace', ['-V']).status === 0
  return isThere() || install('strace', isThere)
}

/** The path of the library that changes the time of a process, or null. */
export function faketime(t: TestContext): string | null {
  const find = () => libraries.find((path) => existsSync(path)) ?? null
  const isThere = () => find() !== null
  if (!isThere() && !install('faketime', isThere)) notRun(t, 'libfaketime is not installed')
  return find()
}

/** Mounts a small file system in memory; `unmount` must follow. */
export function mountSmallDisk(t: TestContext, folder: string, size: string): boolean {
  const args = ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]
  if (isRoot && spawnSync('mount', args).status === 0) return true
  return notRun(t, 'only root can mount a small file system')
}

export function unmount(folder: string): void {
  if (spawnSync('umount', [folder]).status !== 0) spawnSync('umount', ['-l', folder])
}

/** The files that the embedded store writes: two databases and their logs. */
export const storeFiles = [
  'outcry.db-turns-wal',
  'outcry.db-turns',
  'outcry.db-wal',
  'outcry.db',
] as const
export type StoreFile = (typeof storeFiles)[number]

/** The strace command under which calls on one file fail, are delayed, or kill the process. */
export function traced(
  path: string,
  { inject, output, calls }: { inject?: string; output: string; calls: string },
): string[] {
  const injected = inject === undefined ? [] : ['-e', `inject=${calls}:${inject}`]
  // With the seccomp filter, signals cannot be injected.
  const quick = inject?.startsWith('signal') ? [] : ['--seccomp-bpf']
  // -D: the service stays our child process, so that signals reach it and not the tracer.
  return [
    ...['strace', '-D', '-f', '-ttt', ...quick, '-o', output, '-P', path],
    ...['-e', `trace=${calls}`, ...injected],
  ]
}

function install(name: string, isThere: () => boolean): boolean {
  if (!isRoot) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['install', '-y', '-q', name], { env, timeout: 60_000 })
  return isThere()
}

function notRun(t: TestContext, reason: string): false {
  process.stderr.write(`\nNOT RUN: "${t.name}": ${reason}.\n\n`)
  t.diagnostic(`NOT RUN: ${reason}`)
  return false
}
