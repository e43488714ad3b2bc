// Runs a program of src/cli in a process of its own, as a shell does.

import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export type Ended = { readonly code: number | null; readonly out: string; readonly error: string }

type ProgramOptions = {
  readonly folder: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export async function runProgram(
  name: 'audit' | 'backup' | 'migrate' | 'restored',
  { folder, args = [], env = {} }: ProgramOptions,
): Promise<Ended> {
  const path = fileURLToPath(new URL(`../../src/cli/${name}.ts`, import.meta.url))
  const program = spawn(process.execPath, [path, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => program.on('close', resolve))
  const [out, error, code] = await Promise.all([text(program.stdout), text(program.stderr), ended])
  return { code, out, error }
}
