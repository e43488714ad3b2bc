// Runs the service in a process of its own, on a folder that is deleted when the demo ends.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const mainFile = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const defaultPort = 8_084
const host = '127.0.0.1'

export type Launched = {
  readonly url: string
  readonly adminKey: string
  readonly dataDir: string
  /** Resolves when the process has exited. */
  readonly ended: Promise<unknown>
  stop(): Promise<void>
}

/** Uses the given port, else the default port, or a free one if that is in use. */
export async function launch(options: {
  readonly port: number | null
  readonly keepsData: boolean
}): Promise<Launched> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outcry-demo-'))
  const adminKey = randomBytes(16).toString('hex')
  const port = options.port ?? ((await isFree(defaultPort)) ? defaultPort : 0)
  const child = spawn(process.execPath, [mainFile], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      GRPC_PORT: '0',
      HOST: host,
      DATA_DIR: dataDir,
      ADMIN_API_KEY: adminKey,
      DEMO_OPERATOR: 'false',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C goes to the demo only, which stops trading before it stops the service.
    detached: true,
  })
  const ended = once(child, 'exit')
  // A demo that is ended while it stops leaves no service behind.
  const leave = () => child.kill('SIGKILL')
  process.once('exit', leave)
  const stop = async () => {
    if (!hasEnded(child)) child.kill('SIGTERM')
    await ended
    process.off('exit', leave)
    if (!options.keepsData) await rm(dataDir, { recursive: true, force: true })
  }
  const url = await listening(child, ended)
  if (url === null) {
    await stop()
    throw new Error('The service did not start.')
  }
  return { url, adminKey, dataDir, ended, stop }
}

async function listening(child: ChildProcess, ended: Promise<unknown>): Promise<string | null> {
  const printedUrl = new Promise<string>((resolve) => {
    let printed = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const url = /listens on (http:\/\/\S+)/.exec(printed)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  return Promise.race([printedUrl, ended.then(() => null)])
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
