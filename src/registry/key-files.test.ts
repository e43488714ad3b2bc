// Keys in the data folder: made once, kept to their owner, and never half written.

import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import {
  adminCheck,
  readAdminKey,
  readSecretsKey,
  SecretFileError,
  secretKeyOf,
} from './key-files.ts'
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
    test(`${name} is made at the first start and read at later ones`, async (t) => {
      const folder = join(await newFolder(t), 'not', 'there', 'yet')
      const first = await read(folder)
      assert.match(first.text, form)
      assert.ok(first.isNew)
      assert.equal(first.path, join(folder, name))
      assert.equal(await readFile(first.path, 'utf8'), `${first.text}\n`)
      assert.deepEqual(await read(folder), { ...first, isNew: false })
      assert.deepEqual(await readdir(folder), [name], 'nothing is left beside it')
    })

    test(`${name} is readable by its owner alone`, async (t) => {
      const folder = await newFolder(t)
      const { path } = await read(folder)
      assert.equal((await stat(path)).mode & 0o777, 0o600)
    })

    test(`${name} is taken from others where it was open to them`, async (t) => {
      const folder = await newFolder(t)
      const { path } = await read(folder)
      await chmod(path, 0o644)
      await read(folder)
      assert.equal((await stat(path)).mode & 0o777, 0o600)
    })

    test(`${name} is the same for all who start at once`, async (t) => {
      const folder = await newFolder(t)
      const all = await Promise.all(Array.from({ length: 20 }, () => read(folder)))
      assert.equal(new Set(all.map(({ text }) => text)).size, 1)
      assert.equal(all.filter(({ isNew }) => isNew).length, 1)
      assert.deepEqual(await readdir(folder), [name])
    })

    test(`${name} stops the start where it is damaged, and is not replaced`, async (t) => {
      const folder = await newFolder(t)
      const path = join(folder, name)
      for (const text of ['', '\n', 'x'.repeat(64), newKeyText('live')]) {
        await writeFile(path, text)
        await assert.rejects(read(folder), (error) => {
          assert.ok(error instanceof SecretFileError)
          assert.ok(error.message.startsWith(`${path} is damaged; it takes `), error.message)
          assert.ok(text.trim() === '' || !error.message.includes(text), 'it is not shown')
          return true
        })
        assert.equal(await readFile(path, 'utf8'), text)
      }
    })

    test(`${name} that cannot be written is a fault that names it`, async (t) => {
      const file = join(await newFolder(t), 'a-file')
      await writeFile(file, '')
      await assert.rejects(read(file), (error) => {
        assert.ok(error instanceof SecretFileError)
        assert.ok(error.message.includes(name) && error.cause instanceof Error)
        return true
      })
    })
  }

  test('gives 32 bytes to seal with', async (t) => {
    const { text } = await readSecretsKey(await newFolder(t))
    assert.equal(Buffer.from(secretKeyOf(text)).toString('hex'), text)
    assert.equal(secretKeyOf(text).length, 32)
  })
})

describe('the administrator', () => {
  test('is whoever has the key, whole and exact', () => {
    const key = newKeyText('admin')
    const isAdmin = adminCheck(key)
    assert.ok(isAdmin(key))
    for (const other of ['', key.slice(1), `${key} `, key.toLowerCase(), newKeyText('admin')]) {
      assert.ok(!isAdmin(other), other)
    }
  })
})
