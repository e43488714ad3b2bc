// A node of the cluster in a process of its own.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const host = '127.0.0.1'
const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export type NodeProcess = {
  readonly name: string
  readonly url: string
  /** Where other nodes reach it. */
  readonly address: string
  readonly pid: number
  readonly hasEnded: boolean
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>
  /** Deletes its folder, too. */
  stop(): Promise<void>
}

/** Throws what the node printed if it does not start. */
export async function startNode(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<NodeProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outcry-node-'))
  const clusterPort = await freePort()
  const child = spawn(process.execPath, [mainFile], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      GRPC_PORT: '0',
      CLUSTER_PORT: String(clusterPort),
      HOST: host,
      CLUSTER: 'true',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C goes to the program only, which stops the nodes one after the other.
    detached: true,
  })
  const ended = once(child, 'exit')
  // A program that is ended while it stops leaves no node behind.
  const leave = () => {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
  process.once('exit', leave)
  const stop = async () => {
    child.kill('SIGTERM')
    // A process that was stopped with SIGSTOP ends only when it goes on.
    child.kill('SIGCONT')
    if (!hasEnded(child)) await ended
    await rm(dataDir, { recursive: true, force: true })
    process.off('exit', leave)
  }
  const { printed, url } = await listening(child, ended)
  if (url === null || child.pid === undefined) {
    await stop()
    throw new Error(`${name} did not start: ${printed.trim()}`)
  }
  return {
    name,
    url,
    address: `${host}:${clusterPort}`,
    pid: child.pid,
    get hasEnded() {
      return hasEnded(child)
    },
    ended,
    stop,
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function listening(
  child: ChildProcess,
  ended: Promise<unknown>,
): Promise<{ readonly printed: string; readonly url: string | null }> {
  let printed = ''
  const url = await new Promise<string | null>((resolve) => {
    const read = (text: string) => {
      printed = `${printed}${text}`.slice(-2_000)
      const found = /listens on (http:\/\/\S+)/.exec(printed)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout?.setEncoding('utf8').on('data', read)
    child.stderr?.setEncoding('utf8').on('data', read)
    void ended.then(() => resolve(null))
  })
  return { printed, url }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
