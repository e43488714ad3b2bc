// The generated files match the proto file.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const committed = join(root, 'src/api/grpc/generated')
const run = promisify(execFile)

test('the generated files are those that npm run proto makes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outcry-proto-'))
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }
  const buf = (...args: string[]) => run('buf', args, { cwd: join(root, 'proto'), env })
  try {
    await buf('lint')
    await buf('generate', '-o', join(folder, 'proto'))
    const made = join(folder, 'src/api/grpc/generated')
    await buf('build', '--as-file-descriptor-set', '-o', join(made, 'outcry.binpb'))
    const health = join(root, 'node_modules/grpc-health-check/proto')
    await buf('build', health, '--as-file-descriptor-set', '-o', join(made, 'health.binpb'))
    assert.deepEqual(await filesIn(made), await filesIn(committed), 'run npm run proto')
  } finally {
    await rm(folder, { recursive: true })
  }
})

async function filesIn(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = names
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
  const files = new Map<string, string>()
  for (const path of paths.sort()) {
    files.set(path.slice(folder.length), (await readFile(path)).toString('latin1'))
  }
  return files
}
