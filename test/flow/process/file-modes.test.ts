// The files that the service and its programs create are only for the user that runs them, however
// permissive the umask of that user is.

import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runProgram } from '../../audit/program.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'

let place = ''
const umask = process.umask(0)
before(async () => {
  place = await newFolder()
})
after(async () => {
  process.umask(umask)
  await rm(place, { recursive: true })
})

/** The permissions of a folder and of each file in it, in octal. */
async function modesIn(folder: string): Promise<Record<string, string>> {
  const modes: Record<string, string> = {}
  for (const name of ['.', ...(await readdir(folder))]) {
    modes[name] = ((await stat(join(folder, name))).mode & 0o777).toString(8)
  }
  return modes
}

test('a new data folder and a backup can be read by their owner only', async () => {
  const dataDir = join(place, 'var', 'data')
  const service = await Service.start({ dataDir, env: { DATABASE_URL: '' } })
  try {
    await service.newOperator()
    const modes = await modesIn(dataDir)
    const databases = ['outcry.db', 'outcry.db-turns']
    const logs = databases.flatMap((name) => [`${name}-wal`, `${name}-shm`])
    for (const name of [...databases, ...logs, 'outcry.lock', 'reserve']) {
      assert.equal(modes[name], '600', name)
    }
    const { '.': own, ...files } = modes
    assert.equal(own, '700')
    assert.deepEqual([...new Set(Object.values(files))], ['600'], JSON.stringify(files))
    assert.equal((await modesIn(join(place, 'var')))['.'], '700')
    const args = [join(place, 'backup.db'), '--with-keys', join(place, 'safe', 'keys')]
    const { code, error } = await runProgram('backup', { folder: dataDir, args })
    assert.deepEqual([code, error], [0, ''])
    assert.equal((await modesIn(place))['backup.db'], '600')
    assert.equal((await modesIn(join(place, 'safe')))['.'], '700')
    const keys = await modesIn(join(place, 'safe', 'keys'))
    assert.deepEqual(keys, { '.': '700', 'secrets.key': '600' })
  } finally {
    await service.stop()
  }
})

test('what a program creates is for its owner only', async () => {
  const folder = join(place, 'empty')
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const { code } = await runProgram('migrate', { folder, env })
  assert.equal(code, 69)
  const { '.': own, ...files } = await modesIn(folder)
  assert.ok(files['outcry.lock'])
  assert.equal(own, '700')
  assert.deepEqual([...new Set(Object.values(files))], ['600'], JSON.stringify(files))
})

test('the permissions of a folder that exists are left as they are', async () => {
  const dataDir = join(place, 'shared')
  await mkdir(dataDir, { mode: 0o750 })
  await (await Service.start({ dataDir, env: { DATABASE_URL: '' } })).stop()
  await chmod(join(dataDir, 'outcry.db'), 0o640)
  await (await Service.start({ dataDir, env: { DATABASE_URL: '' } })).stop()
  const modes = await modesIn(dataDir)
  assert.deepEqual([modes['.'], modes['outcry.db']], ['750', '640'])
})
