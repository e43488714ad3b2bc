// A temporary PostgreSQL server on a free port, in a folder that is deleted with it. It runs the
// binaries of Debian, as the user postgres if the test runs as root, which PostgreSQL refuses.

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { freePort } from '../process/free-port.ts'

export type PostgresServer = {
  /** The URL of the superuser, for the database postgres. */
  readonly url: string
  readonly version: string
  /** `fast` disconnects the clients; `immediate` is a crash. */
  restart(how: 'fast' | 'immediate'): Promise<void>
  /** Stops all of its processes where they are: connections stay open, and nothing is answered. */
  freeze(): void
  thaw(): void
  /** Ends all of its processes at once, as if its machine were lost. */
  kill(): Promise<void>
  /** Makes a standby the primary; it can be written when the promise resolves. */
  promote(): Promise<void>
  /** Stops the server at once and deletes its folder; a second call does nothing. */
  stop(): Promise<void>
}

export type PostgresOptions = {
  /** As in postgresql.conf. With the defaults of PostgreSQL, a commit waits for the disk. */
  readonly settings?: Readonly<Record<string, string>>
  /** The port of the primary of which the server becomes a standby; by default it is none. */
  readonly standbyOf?: number
}

/** PostgreSQL is not installed, and cannot be. */
export class PostgresMissing extends Error {
  override readonly name = 'PostgresMissing'
}

type Identity = { readonly uid: number; readonly gid: number }

/** Does not block the process, which may have to pass on what the program sends. */
const execute = promisify(execFile)
const installed = '/usr/lib/postgresql'
const isRoot = process.getuid?.() === 0
const readyWithinMs = 30_000

/** Throws PostgresMissing if PostgreSQL is not installed and cannot be. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = findBinaries() ?? install()
  const identity = isRoot ? identityOf('postgres') : null
  const folder = mkdtempSync(join(tmpdir(), 'outcry-postgres-'))
  if (identity !== null) chownSync(folder, identity.uid, identity.gid)
  const data = join(folder, 'data')
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  try {
    const run = (program: string, args: readonly string[]) =>
      execute(join(binaries, program), args, { cwd: folder, ...identity })
    await makeData(run, data, options.standbyOf)
    const port = await freePort()
    const places = { listen_addresses: '127.0.0.1', port: `${port}`, unix_socket_directories: '' }
    const settings = Object.entries({ ...places, ...options.settings })
    const set = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const launch = () =>
      spawn(join(binaries, 'postgres'), ['-D', data, ...set], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
        ...identity,
      })
    const running = { server: launch() }
    const stop = stopper(running, removeFolder)
    const begin = () =>
      ready(running.server).catch(async (fault) => {
        await stop()
        throw fault
      })
    await begin()
    const restart = async (how: 'fast' | 'immediate') => {
      await end(running.server, how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      running.server = launch()
      await begin()
    }
    const version = binaries.split('/').at(-2) ?? 'unknown'
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const freeze = () => signalAll(running.server, 'SIGSTOP')
    const thaw = () => signalAll(running.server, 'SIGCONT')
    const kill = async () => {
      freeze()
      signalAll(running.server, 'SIGKILL')
      await end(running.server, 'SIGKILL')
    }
    const promote = async () => void (await run('pg_ctl', ['promote', '-w', '-D', data]))
    return { url, version, restart, freeze, thaw, kill, promote, stop }
  } catch (fault) {
    removeFolder()
    throw fault
  }
}

type Run = (program: string, args: readonly string[]) => Promise<unknown>

async function makeData(run: Run, data: string, primaryPort: number | undefined): Promise<void> {
  if (primaryPort === undefined) {
    const encoding = ['--encoding=UTF8', '--locale=C']
    await run('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', ...encoding])
    return
  }
  const primary = ['-h', '127.0.0.1', '-p', `${primaryPort}`, '-U', 'postgres']
  await run('pg_basebackup', [
    ...primary,
    '-D',
    data,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
  ])
}

/** The folder of the newest version; null if there is none. */
export function findBinaries(): string | null {
  if (!existsSync(installed)) return null
  const folders = readdirSync(installed)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(installed, version, 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

function install(): string {
  const advice = 'install the Debian package postgresql'
  if (!isRoot || !existsSync('/usr/bin/apt-get')) {
    throw new PostgresMissing(`No PostgreSQL under ${installed}: ${advice}.`)
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const wanted = ['install', '-y', '--no-install-recommends', 'postgresql']
  try {
    execFileSync('apt-get', ['update'], { stdio: 'pipe', env })
    execFileSync('apt-get', wanted, { stdio: 'pipe', env })
  } catch (cause) {
    throw new PostgresMissing(`PostgreSQL could not be installed: ${advice}.`, { cause })
  }
  const binaries = findBinaries()
  if (binaries === null) throw new PostgresMissing(`apt-get brought none: ${advice}.`)
  return binaries
}

function identityOf(user: string): Identity {
  const numberOf = (what: '-u' | '-g') => Number(execFileSync('id', [what, user]).toString())
  return { uid: numberOf('-u'), gid: numberOf('-g') }
}

// The log is read also after that, because a full pipe would stop the server.
function ready(server: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const log: string[] = []
  const refuse = (why: string) => reject(new Error(`PostgreSQL ${why}:\n${log.join('\n')}`))
  const timer = setTimeout(refuse, readyWithinMs, 'was not ready in time')
  createInterface({ input: server.stderr! }).on('line', (line) => {
    if (log.length < 50) log.push(line)
    if (/ready to accept (?:read-only )?connections/.test(line)) resolve()
  })
  server.once('error', reject)
  server.once('exit', () => refuse('ended before it was ready'))
  return promise.finally(() => clearTimeout(timer))
}

// SIGINT is the fast shutdown of PostgreSQL, which does not wait for clients. A process that ends
// without stopping its server ends the server too.
function stopper(
  running: { readonly server: ChildProcess },
  removeFolder: () => void,
): () => Promise<void> {
  const leave = () => {
    running.server.kill('SIGQUIT')
    removeFolder()
  }
  process.once('exit', leave)
  let stopped: Promise<void> | null = null
  const stop = async () => {
    await end(running.server, 'SIGINT')
    process.off('exit', leave)
    removeFolder()
  }
  return () => {
    stopped ??= stop()
    return stopped
  }
}

// The main process is stopped first, so that it starts no further ones, and killed last.
function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  const send = (to: number) => process.kill(to, signal)
  if (signal !== 'SIGKILL') send(pid)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const child of children.split(' ').filter(Boolean)) send(Number(child))
  if (signal === 'SIGKILL') send(pid)
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return
  const over = once(server, 'exit')
  server.kill(signal)
  await over
}
