// Runs the steps of a Dockerfile without Docker: in a folder that is the root of the file system
// for the processes of the image. The base image is this machine, with the Node of the project.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { commandIn, type Stage, variablesIn } from './dockerfile.ts'

export const project = new URL('../../', import.meta.url).pathname
const nodeFolder = dirname(process.execPath)
const path = '/node:/usr/local/bin:/usr/bin:/bin'

/** The reason why images cannot be run here, or null. */
export function whyNoImage(): string | null {
  if (process.platform !== 'linux') return 'it needs Linux'
  if (process.getuid?.() !== 0) return 'it needs root, to change the root folder'
  const { status } = spawnSync('unshare', ['--mount', 'mount', '--make-rprivate', '/'])
  return status === 0 ? null : 'this machine does not allow mounts'
}

type Image = {
  readonly command: readonly string[]
  readonly health: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly volume: string
}

export class ImageRoot {
  readonly #folder = mkdtempSync(join(tmpdir(), 'outcry-image-'))
  #workdir = '/'
  #image: Image = { command: [], health: [], env: {}, user: '0:0', volume: '' }

  /** `context` has the files that are copied; `stages` the folders of `COPY --from`. */
  static build(stage: Stage, context: string, stages: Readonly<Record<string, string>>): ImageRoot {
    const root = new ImageRoot()
    chmodSync(root.#folder, 0o755)
    for (const name of ['proc', 'dev', 'tmp', 'usr', 'etc', 'node']) mkdirSync(root.#at(name))
    for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
      if (existsSync(`/usr/${name}`)) symlinkSync(`usr/${name}`, root.#at(name))
    }
    for (const { name, rest } of stage.instructions) root.#step(name, rest, { context, stages })
    return root
  }

  get image(): Image {
    return this.#image
  }

  #step(
    name: string,
    rest: string,
    from: { readonly context: string; readonly stages: Readonly<Record<string, string>> },
  ): void {
    if (name === 'WORKDIR') {
      this.#workdir = rest
      mkdirSync(this.#at(rest), { recursive: true })
    } else if (name === 'COPY') this.#copy(rest, from)
    else if (name === 'RUN') {
      const env = { ...this.#image.env, PATH: path, HOME: '/tmp' }
      execFileSync(
        ...this.#under(['/bin/sh', '-c', rest], { env, user: '0:0', isReadOnly: false }),
        {
          stdio: 'pipe',
          timeout: 300_000,
        },
      )
    } else this.#image = { ...this.#image, ...settingOf(name, rest, this.#image) }
  }

  #copy(
    rest: string,
    { context, stages }: { context: string; stages: Readonly<Record<string, string>> },
  ): void {
    const words = rest.split(/\s+/)
    const stage = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1]
    const [to = '', ...sources] = (stage === undefined ? words : words.slice(1)).toReversed()
    const target = this.#at(join(this.#workdir, to))
    for (const source of sources) {
      const path = join(stage === undefined ? context : stages[stage]!, source)
      const isInto = to.endsWith('/') || to === '.'
      const place = statSync(path).isFile() && isInto ? join(target, basename(path)) : target
      cpSync(path, place, { recursive: true })
    }
  }

  /** Starts the command of the image: as its user, on a root folder that is read-only. */
  start(more: Readonly<Record<string, string>>): ChildProcess {
    const { command, env, user } = this.#image
    const all = { ...env, ...more, PATH: path }
    return spawn(...this.#under(command, { env: all, user, isReadOnly: true }), {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  /** Runs a command beside it; returns its exit code and what it has printed. */
  run(command: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const { env, user } = this.#image
    const all = { ...env, ...more, PATH: path }
    const under = this.#under(command, { env: all, user, isReadOnly: true })
    const { status, stdout, stderr } = spawnSync(...under, { encoding: 'utf8', timeout: 30_000 })
    return { status, printed: stdout + stderr }
  }

  /** The size of a folder of the image, in bytes. */
  sizeOf(folder: string): number {
    return Number(
      execFileSync('du', ['-sb', this.#at(folder)], { encoding: 'utf8' }).split('\t')[0],
    )
  }

  has(file: string): boolean {
    return existsSync(this.#at(file))
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #at(inside: string): string {
    return join(this.#folder, inside)
  }

  // All mounts end with the processes of the command.
  #under(
    command: readonly string[],
    options: {
      readonly env: Readonly<Record<string, string>>
      readonly user: string
      readonly isReadOnly: boolean
    },
  ): [string, string[]] {
    const { user, isReadOnly } = options
    const root = this.#folder
    const variables = Object.entries(options.env).map(([name, value]) => `${name}=${value}`)
    const { volume } = this.#image
    const script = [
      'set -e',
      'mount --make-rprivate /',
      `mount --bind ${root} ${root}`,
      ...['usr', 'etc'].flatMap((name) => [
        `mount --rbind /${name} ${root}/${name}`,
        `mount -o remount,bind,ro ${root}/${name}`,
      ]),
      `mount --rbind /dev ${root}/dev`,
      `mount --bind ${nodeFolder} ${root}/node`,
      `mount -t proc proc ${root}/proc`,
      `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
      ...(isReadOnly && volume !== '' ? [`mount --bind ${root}${volume} ${root}${volume}`] : []),
      ...(isReadOnly ? [`mount -o remount,bind,ro ${root}`] : []),
      `cd ${root}`,
      'exec chroot "$@"',
    ]
    const env = ['/usr/bin/env', '-i', '-C', this.#workdir, ...variables]
    const args = [`--userspec=${user}`, '.', ...env, ...command]
    return ['unshare', ['--mount', 'bash', '-c', script.join('\n'), 'image', ...args]]
  }
}

function settingOf(name: string, rest: string, { env }: Image): Partial<Image> {
  if (name === 'CMD') return { command: commandIn(rest) }
  if (name === 'HEALTHCHECK') return { health: commandIn(rest) }
  if (name === 'ENV') return { env: { ...env, ...variablesIn(rest) } }
  if (name === 'USER') return { user: rest }
  if (name === 'VOLUME') return { volume: rest }
  if (name === 'EXPOSE' || name === 'STOPSIGNAL') return {}
  throw new Error(`an instruction that this test does not know: ${name}`)
}
