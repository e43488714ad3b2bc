// Starts a process of the link tests, and reads what it prints.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { OwnerSettings } from './link-settings.ts'

const untilPrintedMs = 20_000

export class LinkProcess {
  readonly #child: ChildProcess
  #printed = ''

  constructor(program: 'link-owner.ts' | 'link-caller.ts', settings: object) {
    const path = fileURLToPath(new URL(program, import.meta.url))
    this.#child = spawn(process.execPath, [path, JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text
      this.#child.emit('printed')
    })
  }

  static async owner(settings: Partial<OwnerSettings> = {}): Promise<{
    readonly owner: LinkProcess
    readonly address: string
  }> {
    const { address = '127.0.0.1:0' } = settings
    const owner = new LinkProcess('link-owner.ts', { ...settings, address })
    const [, port] = await owner.until(/^listening (\d+)$/m)
    return { owner, address: address.startsWith('unix:') ? address : `127.0.0.1:${port}` }
  }

  get printed(): string {
    return this.#printed
  }

  get pid(): number {
    return this.#child.pid!
  }

  async until(pattern: RegExp): Promise<RegExpExecArray> {
    const signal = AbortSignal.timeout(untilPrintedMs)
    for (;;) {
      const found = pattern.exec(this.#printed)
      if (found !== null) return found
      await once(this.#child, 'printed', { signal })
    }
  }

  freeze(): void {
    this.#child.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child.kill('SIGCONT')
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }
}
