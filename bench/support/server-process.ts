// A server in a process of its own, running a script of this project or of another commit of it.
// It has started when it prints its address.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { onExit } from './clean-up.ts'

export type ServerProcess = {
  readonly port: number
  readonly pid: number
  /** The gRPC port; null if the server has none. */
  grpcPort(): number | null
  /** CPU time used so far by all threads together; null if the system does not report it. */
  cpuMs(): number | null
  signal(name: NodeJS.Signals): void
  /** Sends SIGTERM and waits until the process exits. */
  stop(): Promise<void>
}

export type ServerStart = {
  /** Path from the root of the project. */
  readonly script: string
  /** Another root, with the files of another commit. */
  readonly root?: string
  readonly env: Readonly<Record<string, string>>
  readonly nodeOptions?: readonly string[]
}

const project = `${import.meta.dirname}/../..`
/** Enough to load ten million open orders. */
const startWithinMs = 300_000
const stopWithinMs = 30_000

export async function startServer(start: ServerStart): Promise<ServerProcess> {
  const { root = project } = start
  const child = spawn(
    process.execPath,
    [...optionsOf(root), ...(start.nodeOptions ?? []), start.script],
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', ...start.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  const cancelKill = onExit(kill)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let grpcPort: number | null = null
  const timer = setTimeout(
    reject,
    startWithinMs,
    new Error(`${start.script} did not start within ${startWithinMs / 1000} s.`),
  )
  createInterface({ input: child.stdout }).on('line', (line) => {
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port !== undefined) resolve(Number(port))
    const second = /gRPC +127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (second !== undefined) grpcPort = Number(second)
  })
  exited.then(() => reject(new Error(`${start.script} exited before it was ready.`)), reject)
  const stop = async () => {
    const killer = setTimeout(kill, stopWithinMs)
    child.kill('SIGTERM')
    await exited
    clearTimeout(killer)
    cancelKill()
  }
  try {
    const port = await promise
    const signal = (name: NodeJS.Signals) => child.kill(name)
    const pid = child.pid ?? 0
    return { port, pid, grpcPort: () => grpcPort, cpuMs: () => cpuMsOf(pid), signal, stop }
  } catch (fault) {
    kill()
    throw fault
  } finally {
    clearTimeout(timer)
  }
}

/** Node options of `npm start`; peers get them as well. */
function optionsOf(root: string): string[] {
  const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  return manifest.scripts.start.match(/--\S+/g) ?? []
}

const msPerTick = 10

// Linux reports CPU time in ticks: user and system time are the twelfth and thirteenth field after
// the process name, which may contain any character.
function cpuMsOf(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return null
  }
}
