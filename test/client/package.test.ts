// The package as it is published: plain JavaScript with declarations, no dependencies, and every
// runnable piece of its README runs.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ClientScene } from './scene.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const about = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8'))

const folder = mkdtempSync(join(tmpdir(), 'outcry-client-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const installed = join(folder, 'node_modules', about.name)
execFileSync(join(root, 'node_modules/.bin/tsc'), [
  '--project',
  join(root, 'client'),
  '--outDir',
  join(installed, 'dist'),
])
copyFileSync(join(root, 'client/package.json'), join(installed, 'package.json'))

test('what the package says it exports is there, and it depends on nothing', () => {
  for (const file of Object.values<string>(about.exports['.'])) {
    assert.ok(existsSync(join(installed, file)), file)
  }
  assert.equal(about.dependencies, undefined)
  const text = readFileSync(join(installed, 'dist/client.js'), 'utf8')
  assert.match(text, /from '\.\/transport\.js'/)
  assert.doesNotMatch(text, /\.ts'/)
})

test('the pieces of the README run as they stand', async () => {
  const scene = await ClientScene.open()
  try {
    const readme = readFileSync(join(root, 'client/README.md'), 'utf8')
    const pieces = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text ?? '')
    assert.ok(pieces.length >= 4)
    const file = join(folder, 'snippets.mjs')
    writeFileSync(file, pieces.join('\n'))
    const env = { ...process.env, OUTCRY_URL: scene.service.url, OUTCRY_KEY: scene.apiKey }
    const printed = execFileSync(process.execPath, [file], { cwd: folder, env }).toString()
    assert.match(printed, /FILLED/)
    assert.match(printed, /MARKET_NOT_FOUND/)
    assert.match(printed, /done/)
  } finally {
    await scene.close()
  }
})
