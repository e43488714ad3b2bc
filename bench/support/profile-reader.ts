// Reads the CPU profiles that Node writes on exit: self time by function and by kind of work.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type ThreadProfile = {
  readonly title: string
  /** Time the thread did not spend idle. */
  readonly busyMs: number
  readonly totalMs: number
  /** Milliseconds, largest first. */
  readonly groups: readonly (readonly [string, number])[]
  readonly functions: readonly { readonly label: string; readonly ms: number }[]
}

type Frame = {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}
/** The format of V8; times in microseconds. */
type CpuProfile = {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Covers the last `lastMs` milliseconds; leaves out threads that were busy for less than 1 ms. */
export function readProfiles(folder: string, lastMs: number): ThreadProfile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.cpuprofile'))
    .sort()
    .map((file) => {
      const thread = file.split('.').at(-3)
      const title = Number(thread) === 0 ? 'Main thread' : `Thread ${thread}`
      return profileOf(title, JSON.parse(readFileSync(join(folder, file), 'utf8')), lastMs)
    })
    .filter(({ busyMs }) => busyMs >= 1)
}

const idle = '(idle)'
const root = new URL('../..', import.meta.url).href

function profileOf(title: string, profile: CpuProfile, lastMs: number): ThreadProfile {
  const { nodes, samples, timeDeltas } = profile
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const groups = new Map<string, number>()
  const functions = new Map<string, number>()
  let busyMs = 0
  let totalMs = 0
  for (let at = samples.length - 1; at >= 0 && totalMs < lastMs; at -= 1) {
    const frame = frames.get(samples[at]!)!
    const ms = timeDeltas[at]! / 1000
    totalMs += ms
    if (frame.functionName === idle) continue
    busyMs += ms
    add(groups, groupOf(frame), ms)
    add(functions, labelOf(frame), ms)
  }
  const sorted = [...functions].sort((a, b) => b[1] - a[1])
  return {
    title,
    busyMs,
    totalMs,
    groups: [...groups].sort((a, b) => b[1] - a[1]),
    functions: sorted.map(([label, ms]) => ({ label, ms })),
  }
}

// The first match wins. `(program)` is native code outside any function: mostly sockets and the
// HTTP parser.
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^node:.*(?:http|_http)/, 'node: HTTP'],
  [/^node:.*(?:net|stream|timers|buffer)/, 'node: sockets, streams, buffers, timers'],
  [/^node:.*(?:sqlite)/, 'node: SQLite'],
  [/^node:.*(?:worker|event_target|per_context\/message)/, 'messages between threads'],
  [/^node:.*crypto/, 'hashes'],
  [/^node:/, 'node: other'],
  [/\/node_modules\/(?:fast-json|.*ajv|.*secure-json)/, 'packages: JSON and schemas'],
]

function groupOf({ functionName, url }: Frame): string {
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === '(program)') return 'native code: system calls, HTTP parser'
  if (url === '') return nativeGroupOf(functionName)
  const kind = kinds.find(([pattern]) => pattern.test(url))?.[1]
  if (kind !== undefined) return kind
  const dependency = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (dependency !== undefined) return `packages: ${dependency}`
  const folder = /^(src\/[^/]+|bench)\//.exec(url.replace(root, ''))?.[1]
  return folder === undefined ? 'other' : `Outcry: ${folder}`
}

function nativeGroupOf(name: string): string {
  if (/^(?:parse|stringify)$/.test(name)) return 'JSON'
  if (/^(?:writev?|writeUtf8String|writeLatin1String|shutdown)$/.test(name)) return 'socket writes'
  if (/^(?:postMessage|drainMessagePort)$/.test(name)) return 'messages between threads'
  if (/^(?:oneShotDigest|digest|update)$/.test(name)) return 'hashes'
  if (/^(?:prepare|run|exec|all|get|iterate|step)$/.test(name)) return 'native functions: SQLite'
  return 'native functions: other'
}

function labelOf({ functionName, url, lineNumber }: Frame): string {
  const name = functionName === '' ? '(anonymous)' : functionName
  if (url === '') return name
  return `${name}  ${url.replace(root, '')}:${lineNumber + 1}`
}

function add(sums: Map<string, number>, key: string, ms: number): void {
  sums.set(key, (sums.get(key) ?? 0) + ms)
}
