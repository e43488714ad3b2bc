// A server in a process of its own, started with a script of this project and stopped by its id. It
// has started when it prints its address.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import manifest from '../../package.json' with { type: 'json' }

export type ServerProcess = {
  readonly port: number
  /** Of gRPC; null where there is none. */
  grpcPort(): number | null
  /** The processor time that it has used, all its threads together; null where nobody tells. */
  cpuMs(): number | null
  signal(name: NodeJS.Signals): void
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>
}

export type ServerStart = {
  /** From the root of the project. */
  readonly script: string
  readonly env: Readonly<Record<string, string>>
  readonly nodeOptions?: readonly string[]
}

const root = `${import.meta.dirname}/../..`
/** Those of `npm start`; peers get them, too. */
const usualOptions = manifest.scripts.start.match(/--\S+/g) ?? []
/** With ten million open orders, too. */
const startWithinMs = 300_000
const stopWithinMs = 30_000

export async function startServer(start: ServerStart): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [...usualOptions, ...(start.nodeOptions ?? []), start.script],
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', ...start.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const over = once(child, 'exit')
  const leave = () => child.kill('SIGKILL')
  process.once('exit', leave)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let grpcPort: number | null = null
  const timer = setTimeout(reject, startWithinMs, new Error(`${start.script} did not start.`))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port !== undefined) resolve(Number(port))
    const second = /gRPC +127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (second !== undefined) grpcPort = Number(second)
  })
  over.then(() => reject(new Error(`${start.script} ended by itself.`)), reject)
  const stop = async () => {
    const killer = setTimeout(leave, stopWithinMs)
    child.kill('SIGTERM')
    await over
    clearTimeout(killer)
    process.off('exit', leave)
  }
  try {
    const port = await promise
    const signal = (name: NodeJS.Signals) => child.kill(name)
    return { port, grpcPort: () => grpcPort, cpuMs: () => cpuMsOf(child.pid), signal, stop }
  } catch (fault) {
    leave()
    throw fault
  } finally {
    clearTimeout(timer)
  }
}

const msPerTick = 10

// Linux tells in ticks. Behind the name, which may hold anything, user and system time are the
// twelfth and the thirteenth field.
function cpuMsOf(pid: number | undefined): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return null
  }
}
