// promtool, which checks metrics and alert rules as Prometheus reads them: the one of this machine,
// or else the one in Debian's package, which is unpacked and not installed, because it would start
// a server.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const cacheFolder = new URL('../../../node_modules/.cache/', import.meta.url).pathname
const cached = join(cacheFolder, 'promtool')
const advice = 'install the Debian package prometheus'

/** A function that runs promtool, or null if there is none; the reason is printed then. */
export async function promtoolOrNot(what: string): Promise<typeof runPromtool | null> {
  try {
    if (commandOf() === null) await download()
    return runPromtool
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    process.stderr.write(`\nNOT RUN: ${what}: no promtool (${reason}); ${advice}.\n\n`)
    return null
  }
}

/** Its exit code, and everything that it has printed. */
function runPromtool(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(commandOf()!, args, { input, encoding: 'utf8' })
  return { status, printed: stdout + stderr }
}

function commandOf(): string | null {
  if (existsSync(cached)) return cached
  return spawnSync('promtool', ['--version']).status === 0 ? 'promtool' : null
}

async function download(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'outcry-promtool-'))
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: 'pipe', timeout: 120_000 })
  try {
    if (process.getuid?.() === 0) run('apt-get', ['update'])
    run('apt-get', ['download', 'prometheus'])
    const [file = ''] = readdirSync(folder)
    run('dpkg-deb', ['-x', file, 'unpacked'])
    mkdirSync(cacheFolder, { recursive: true })
    renameSync(join(folder, 'unpacked/usr/bin/promtool'), `${cached}.new`)
    renameSync(`${cached}.new`, cached)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
