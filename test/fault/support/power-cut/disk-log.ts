// Every change and sync of a folder by a traced process, read from the output of strace.

import { readFile } from 'node:fs/promises'

/** Changes of contents and names. A sync makes earlier changes of its path durable. */
export type DiskEntry = { readonly atMs: number; readonly path: string } & (
  | { readonly kind: 'write'; readonly offset: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly size: number }
  | { readonly kind: 'create' | 'unlink' }
  | { readonly kind: 'rename'; readonly to: string }
  /** Covers the entries before `from`: later ones were made while it ran. */
  | { readonly kind: 'sync'; readonly from: number }
)

const calls = [
  ...['openat', 'write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'fsync', 'fdatasync'],
  ...['ftruncate', 'fallocate', 'rename', 'renameat', 'renameat2', 'unlink', 'unlinkat'],
  ...['sync_file_range', 'copy_file_range'],
]
/** Calls on the folder that are not understood must not be overlooked. */
const unsupported = new Set(['writev', 'pwritev', 'pwritev2', 'fallocate', 'copy_file_range'])
const bytesMax = 64 * 1024 * 1024

/** The command under which a process runs; the service stays our child process. */
export function tracedWrites(output: string): string[] {
  return [
    ...['strace', '-D', '-f', '-ttt', '-y', '-xx', '-s', String(bytesMax), '--seccomp-bpf'],
    ...['-o', output, '-e', `trace=${calls.join(',')}`],
  ]
}

/** In the order of the calls. Paths are relative to the folder, which itself is ''. */
export async function readDiskLog(output: string, folder: string): Promise<DiskEntry[]> {
  const log = new DiskLog(folder)
  for (const line of (await readFile(output, 'latin1')).split('\n')) log.add(line)
  return log.entries
}

class DiskLog {
  readonly entries: DiskEntry[] = []
  readonly #folder: string
  /** Syncs that have begun, by thread. */
  readonly #syncs = new Map<string, { readonly path: string; readonly from: number }>()
  /** The position of each file, for writes without an offset. */
  readonly #ends = new Map<string, number>()

  constructor(folder: string) {
    this.#folder = folder
  }

  add(line: string): void {
    const [, thread = '', seconds = '', call = ''] = /^(\d+) +(\d+\.\d+) (.*)$/.exec(line) ?? []
    const atMs = Number(seconds) * 1_000
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(call)?.[1]
    if (resumed === 'fsync' || resumed === 'fdatasync') {
      const sync = this.#syncs.get(thread)
      if (sync !== undefined) this.#end(atMs, { ...sync, line: call })
      this.#syncs.delete(thread)
      return
    }
    const [, name = '', rest = ''] = /^(\w+)\((.*)$/.exec(call) ?? []
    const isUnfinished = rest.endsWith('<unfinished ...>')
    // A failed call has changed nothing.
    if (!isUnfinished && / = -1 /.test(rest.slice(-200))) return
    if (name === 'fsync' || name === 'fdatasync') {
      const path = this.#relative(openPath(rest))
      if (path === null) return
      const sync = { path, from: this.entries.length }
      if (isUnfinished) this.#syncs.set(thread, sync)
      else this.#end(atMs, { ...sync, line: call })
      return
    }
    const entry = this.#entryOf(name, rest, atMs)
    if (entry !== null) this.entries.push(entry)
  }

  #end(atMs: number, { path, from, line }: { path: string; from: number; line: string }): void {
    // An injected result means that the kernel was not asked.
    if (/ = 0(?:$| <)/.test(line)) this.entries.push({ kind: 'sync', atMs, path, from })
  }

  #entryOf(name: string, rest: string, atMs: number): DiskEntry | null {
    if (name === 'openat') {
      const path = this.#relative(textsIn(rest)[0] ?? null)
      return path === null || !/O_CREAT/.test(rest) ? null : { kind: 'create', atMs, path }
    }
    if (name.startsWith('unlink') || name.startsWith('rename')) {
      const [from, to] = textsIn(rest).map((path) => this.#relative(path))
      if (from === undefined || from === null) return null
      if (name.startsWith('unlink')) return { kind: 'unlink', atMs, path: from }
      return { kind: 'rename', atMs, path: from, to: to ?? from }
    }
    const path = this.#relative(openPath(rest))
    if (path === null) return null
    if (unsupported.has(name)) throw new Error(`${name} in the data folder is not supported.`)
    if (name === 'ftruncate') {
      return { kind: 'truncate', atMs, path, size: Number(/>, (\d+)/.exec(rest)?.[1]) }
    }
    if (name !== 'write' && name !== 'pwrite64') return null
    const data = dataIn(rest)
    // A file that is written without offsets is written from its start to its end, once.
    const after = /", \d+, (\d+)/.exec(rest)?.[1]
    const offset = after === undefined ? (this.#ends.get(path) ?? 0) : Number(after)
    this.#ends.set(path, offset + data.length)
    return { kind: 'write', atMs, path, offset, data }
  }

  #relative(path: string | null): string | null {
    if (path === this.#folder) return ''
    return path?.startsWith(`${this.#folder}/`) ? path.slice(this.#folder.length + 1) : null
  }
}

/** The path of the file descriptor that is the first argument. */
function openPath(rest: string): string | null {
  const hex = /^\d+<((?:\\x[0-9a-f]{2})+)>/.exec(rest)?.[1]
  return hex === undefined ? null : String(decoded(hex))
}

function textsIn(rest: string): string[] {
  return Array.from(rest.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g), ([, hex]) => String(decoded(hex!)))
}

function dataIn(rest: string): Buffer {
  const from = rest.indexOf('"') + 1
  return decoded(rest.slice(from, rest.indexOf('"', from)))
}

function decoded(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex')
}
