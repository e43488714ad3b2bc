// The package as published: plain JavaScript with type declarations and no dependencies, and a
// README whose code blocks run.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ClientFixture } from './fixture.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8'))

const folder = mkdtempSync(join(tmpdir(), 'outcry-client-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const installed = join(folder, 'node_modules', manifest.name)
execFileSync(process.execPath, [join(root, 'client/generate/build.ts'), join(installed, 'dist')])
copyFileSync(join(root, 'client/package.json'), join(installed, 'package.json'))

test('the package contains its exports and has no dependencies', () => {
  const { import: asModule, require: asCommonJs } = manifest.exports['.']
  for (const file of [...Object.values<string>(asModule), ...Object.values<string>(asCommonJs)]) {
    assert.ok(existsSync(join(installed, file)), file)
  }
  assert.equal(manifest.dependencies, undefined)
  const text = readFileSync(join(installed, 'dist/client.js'), 'utf8')
  assert.match(text, /from '\.\/transport\.js'/)
  assert.doesNotMatch(text, /\.ts'/)
})

test('the code blocks of the README run unchanged', async () => {
  const fixture = await ClientFixture.open()
  try {
    const readme = readFileSync(join(root, 'client/README.md'), 'utf8')
    const blocks = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text ?? '')
    assert.ok(blocks.length >= 4)
    const file = join(folder, 'snippets.mjs')
    writeFileSync(file, blocks.join('\n'))
    const env = { ...process.env, URL: fixture.service.url, KEY: fixture.apiKey }
    const printed = execFileSync(process.execPath, [file], { cwd: folder, env }).toString()
    assert.match(printed, /FILLED/)
    assert.match(printed, /MARKET_NOT_FOUND/)
    assert.match(printed, /done/)
  } finally {
    await fixture.close()
  }
})
