// The service started with `npm start`, as in the README, in its own process group.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { adminKey, untilListening } from './outcry-process.ts'

const project = new URL('../../../', import.meta.url).pathname

export class NpmStart {
  readonly npm: ChildProcess
  readonly url: string

  private constructor(npm: ChildProcess, url: string) {
    this.npm = npm
    this.url = url
  }

  static async start(dataDir: string, env: Readonly<Record<string, string>> = {}) {
    const settings = { PORT: '0', GRPC_PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir }
    const npm = spawn('npm', ['start'], {
      cwd: project,
      env: { ...process.env, ...settings, ADMIN_API_KEY: adminKey, LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let text = ''
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
    }
    return new NpmStart(npm, await untilListening(npm, () => text))
  }

  /** Signals npm only, like a supervisor, or its whole process group, like a terminal. */
  async end(signal: 'SIGTERM' | 'SIGINT', to: 'npm' | 'group') {
    const { pid } = this.npm
    if (pid === undefined) throw new Error('npm did not start')
    const startedAt = Date.now()
    const ended = once(this.npm, 'exit')
    process.kill(to === 'npm' ? pid : -pid, signal)
    await ended
    const { exitCode, signalCode } = this.npm
    return { exitCode, signalCode, elapsedMs: Date.now() - startedAt }
  }
}
