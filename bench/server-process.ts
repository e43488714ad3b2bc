// A server in a process of its own, started with a script of this project and stopped by its id. It
// has started when it prints its address.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export type ServerProcess = {
  readonly port: number
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>
}

export type ServerStart = {
  /** From the root of the project. */
  readonly script: string
  readonly env: Readonly<Record<string, string>>
  readonly nodeOptions?: readonly string[]
}

const root = `${import.meta.dirname}/..`
const startWithinMs = 30_000
const stopWithinMs = 30_000

export async function startServer(start: ServerStart): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...(start.nodeOptions ?? []), start.script], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...start.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const over = once(child, 'exit')
  const leave = () => child.kill('SIGKILL')
  process.once('exit', leave)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const timer = setTimeout(reject, startWithinMs, new Error(`${start.script} did not start.`))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port !== undefined) resolve(Number(port))
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
    return { port: await promise, stop }
  } catch (fault) {
    leave()
    throw fault
  } finally {
    clearTimeout(timer)
  }
}
