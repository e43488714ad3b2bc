// The guide of this project: every document is in it, no link is broken, and a broken one fails the
// build.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from '../../guide/build.ts'
import { groups, unlistedPages } from '../../guide/pages.ts'
import { errorTable } from '../../src/api/errors.ts'
import { fillBlocks } from '../support/http/document-blocks.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'outcry-guide-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const made = join(folder, 'made')
const count = build(root, made)

test('every document below docs is a page of the guide', () => {
  const pages = [...groups.flatMap((group) => group.pages), ...unlistedPages(root)]
  assert.equal(count, pages.length)
  const sources = new Set(pages.map(({ source }) => source))
  const missing = globSync('docs/**/*.md', { cwd: root }).filter((path) => !sources.has(path))
  assert.deepEqual(missing, [])
  const paths = pages.map(({ path }) => path)
  assert.equal(new Set(paths).size, paths.length)
})

test('every link in the pages that were made leads to a page, its heading, or the service', () => {
  const pages = globSync('**/*.html', { cwd: made })
  const idsOf = (path: string) => {
    const html = readFileSync(join(made, path), 'utf8')
    return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  }
  const ids = new Map(pages.map((path) => [path, idsOf(path)]))
  let checked = 0
  for (const path of pages) {
    const html = readFileSync(join(made, path), 'utf8')
    for (const [, link = ''] of html.matchAll(/(?:href|src|data-search)="([^"]+)"/g)) {
      if (/^(?:https?:\/\/|\/docs$|\/console$|\/openapi\.json$|\/asyncapi\.json$)/.test(link))
        continue
      const [file = '', id] = link.split('#')
      const name = file === '' ? path : fileOf(file, pages)
      assert.ok(globSync(name, { cwd: made }).length === 1, `${path}: ${link}`)
      if (id !== undefined) assert.ok(ids.get(name)?.has(id), `${path}: ${link}`)
      checked += 1
    }
  }
  assert.ok(checked > 2_000, String(checked))
})

function fileOf(url: string, pages: readonly string[]): string {
  assert.ok(url === '/guide' || url.startsWith('/guide/'), url)
  const name = url.slice('/guide/'.length)
  if (name === '') return 'index.html'
  return pages.includes(`${name}.html`) ? `${name}.html` : name
}

test('no page loads anything from another host, or has a script or style within', () => {
  for (const path of globSync('**/*.{html,css,js}', { cwd: made })) {
    const text = readFileSync(join(made, path), 'utf8')
    assert.doesNotMatch(text, /<(?:link|script|img)[^>]*(?:href|src)="(?!\/guide\/)/, path)
    assert.doesNotMatch(text, /<style|<script(?! type="module" src=)|\sstyle="|\son\w+="/, path)
    // In pages, such words are examples of code.
    if (path.endsWith('.html')) continue
    assert.doesNotMatch(text, /\b(?:url\(|from |fetch\()["'](?!\/guide\/)/, path)
  }
})

/** A copy of what the guide is made from, in which a test may break things. */
function newCopy(): string {
  const copy = mkdtempSync(join(folder, 'copy-'))
  const folders = [
    'docs',
    'guide',
    'client',
    'deploy',
    'examples',
    'src',
    'bench/results',
    'test',
    'proto',
  ]
  for (const name of folders) {
    const filter = (path: string) => !path.includes('node_modules') && !path.endsWith('/dist')
    cpSync(join(root, name), join(copy, name), { recursive: true, filter })
  }
  const assets = ['console/src/styles/fonts/*', 'console/public/*']
  const files = ['*.md', 'package.json', 'LICENSE', ...assets]
  for (const name of globSync(files, { cwd: root })) cpSync(join(root, name), join(copy, name))
  return copy
}

function run(program: string, cwd: string) {
  const quiet = '--disable-warning=ExperimentalWarning'
  return spawnSync(process.execPath, [quiet, program], { cwd, encoding: 'utf8' })
}

test('a broken link fails "npm run docs" with its file and line, and leaves the last build', () => {
  const copy = newCopy()
  const right = run('guide/build.ts', copy)
  assert.equal(right.status, 0, right.stderr)
  const page = join(copy, 'docs/guide/limits.md')
  const text = readFileSync(page, 'utf8')
  writeFileSync(page, `${text}\nSee [this](operating.md) and\n[that](errors.md#nothing).\n`)
  const wrong = run('guide/build.ts', copy)
  assert.equal(wrong.status, 1)
  const at = `docs/guide/limits.md:${text.split('\n').length + 1}: broken link`
  for (const message of [
    `${at} (operating.md): docs/guide/operating.md does not exist`,
    `${at} (errors.md#nothing): docs/guide/errors.md has no heading for #nothing`,
  ]) {
    assert.ok(wrong.stderr.includes(message), wrong.stderr)
  }
  assert.equal(globSync('guide/dist/limits.html', { cwd: copy }).length, 1)
  assert.equal(globSync('guide/dist.new', { cwd: copy }).length, 0)
})

test('the guide is built by an install, without a package', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.match(scripts.prepare, /guide\/prepare\.js/)
  const copy = newCopy()
  const { status, stdout, stderr } = run('guide/prepare.js', copy)
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' })
  assert.equal(globSync('guide/dist/index.html', { cwd: copy }).length, 1)
})

test('the page of errors lists the codes of the service', () => {
  const rows = Object.entries(errorTable).map(
    ([code, { status, when }]) => `| ${code} | ${status} | ${when} |`,
  )
  const table = ['| code | status | when |', '|---|---|---|', ...rows].join('\n')
  const page = readFileSync(join(root, 'docs/guide/errors.md'), 'utf8')
  const { filled, names } = fillBlocks(page, new Map([['errors', table]]))
  assert.deepEqual(names, ['errors'])
  assert.equal(page, filled)
})
