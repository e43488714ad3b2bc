// Key files in the data folder: created once, readable by their owner, never partly written.

import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { isSameKey, KeyFileError, readAdminKey, readSecretsKey, secretKeyOf } from './key-files.ts'
import { newKeyText } from './key-text.ts'

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'outcry-secrets-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

describe('a key in the data folder', () => {
  for (const [name, read, form] of [
    ['admin.key', readAdminKey, /^oc_admin_[0-9A-Za-z]{49}$/],
    ['secrets.key', readSecretsKey, /^[0-9a-f]{64}$/],
  ] as const) {
    test(`${name} is created at the first start and read at later ones`, async (t) => {
      const folder = join(await newFolder(t), 'not', 'there', 'yet')
      const first = await read(folder)
      assert.match(first.text, form)
      assert.ok(first.isNew)
      assert.equal(first.path, join(folder, name))
      assert.equal(await readFile(first.path, 'utf8'), `${first.text}\n`)
      assert.deepEqual(await read(folder), { ...first, isNew: false })
      assert.deepEqual(await readdir(folder), [name], 'no temporary file is left')
    })

    test(`${name} is readable by its owner only`, async (t) => {
      const folder = await newFolder(t)
      const { path } = await read(folder)
      assert.equal((await stat(path)).mode & 0o777, 0o600)
    })

    test(`${name} is made unreadable for others`, async (t) => {
      const folder = await newFolder(t)
      const { path } = await read(folder)
      await chmod(path, 0o644)
      await read(folder)
      assert.equal((await stat(path)).mode & 0o777, 0o600)
    })

    test(`${name} is the same for all processes that start at once`, async (t) => {
      const folder = await newFolder(t)
      const all = await Promise.all(Array.from({ length: 20 }, () => read(folder)))
      assert.equal(new Set(all.map(({ text }) => text)).size, 1)
      assert.equal(all.filter(({ isNew }) => isNew).length, 1)
      assert.deepEqual(await readdir(folder), [name])
    })

    test(`${name} stops the start if it is damaged, and is not replaced`, async (t) => {
      const folder = await newFolder(t)
      const path = join(folder, name)
      for (const text of ['', '\n', 'x'.repeat(64), newKeyText('live')]) {
        await writeFile(path, text)
        await assert.rejects(read(folder), (error) => {
          assert.ok(error instanceof KeyFileError)
          assert.ok(error.message.startsWith(`${path} is damaged: expected `), error.message)
          assert.ok(text.trim() === '' || !error.message.includes(text), 'the key is not shown')
          return true
        })
        assert.equal(await readFile(path, 'utf8'), text)
      }
    })

    test(`${name} that cannot be written fails with an error that names it`, async (t) => {
      const file = join(await newFolder(t), 'a-file')
      await writeFile(file, '')
      await assert.rejects(read(file), (error) => {
        assert.ok(error instanceof KeyFileError)
        assert.ok(error.message.includes(name) && error.cause instanceof Error)
        return true
      })
    })
  }

  test('the secrets key has 32 bytes', async (t) => {
    const { text } = await readSecretsKey(await newFolder(t))
    assert.equal(Buffer.from(secretKeyOf(text)).toString('hex'), text)
    assert.equal(secretKeyOf(text).length, 32)
  })
})

describe('the administrator', () => {
  test('is authenticated by the exact key only', () => {
    const key = newKeyText('admin')
    const isAdmin = isSameKey(key)
    assert.ok(isAdmin(key))
    for (const other of ['', key.slice(1), `${key} `, key.toLowerCase(), newKeyText('admin')]) {
      assert.ok(!isAdmin(other), other)
    }
  })
})
