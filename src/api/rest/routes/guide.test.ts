// How the pages of the guide are served, from a temporary folder.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { testServer } from '../../../../test/support/http/rest-server.ts'

const index = '[{"u":"/guide","t":"Guide","h":"","s":"","w":""}]'

/** A server whose guide is built, next to a file that must not be served. */
function guideServer(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-guide-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'secret.html'), 'secret')
  const guideFolder = join(folder, 'dist')
  const build = () => {
    mkdirSync(join(guideFolder, 'assets'), { recursive: true })
    mkdirSync(join(guideFolder, 'protocol'))
    writeFileSync(join(guideFolder, 'index.html'), '<!doctype html><title>Guide</title>')
    writeFileSync(join(guideFolder, 'protocol/events.html'), '<!doctype html><title>Events</title>')
    writeFileSync(join(guideFolder, 'assets/search-1a2b.json'), index)
    writeFileSync(join(guideFolder, 'notes.txt'), 'of no type that is served')
  }
  const limits = { orders: 0, requests: 0, public: 150 }
  return { app: testServer({ guideFolder, limits }), build }
}

test('a page is served without its extension, with a strict policy and a limit', async (t) => {
  const { app, build } = guideServer(t)
  build()
  const pages = { '/guide': 'Guide', '/guide/': 'Guide', '/guide?a=b': 'Guide' }
  const deep = { '/guide/protocol/events': 'Events', '/guide/protocol/events/': 'Events' }
  for (const [url, title] of Object.entries({ ...pages, ...deep })) {
    const { statusCode, headers, body } = await app.inject(url)
    assert.equal(statusCode, 200, url)
    assert.match(body, new RegExp(`<title>${title}<`))
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['ratelimit-limit'], '150')
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  }
})

test('the search index is JSON that is cached forever', async (t) => {
  const { app, build } = guideServer(t)
  build()
  const { headers, body } = await app.inject('/guide/assets/search-1a2b.json')
  assert.equal(body, index)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
})

test('no path leads to a file that is not in the build', async (t) => {
  const { app, build } = guideServer(t)
  build()
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  t.after(() => app.close())
  const paths = [
    ...['../secret', '../secret.html', '..%2fsecret', '%2e%2e/secret.html', 'notes.txt', 'notes'],
    ...['assets/../../secret', 'protocol', 'protocol/', '..\\secret', '/secret', 'no-such-page'],
    ...['%00index', '__proto__', 'constructor'],
  ]
  for (const path of paths) {
    const [response] = await once(
      request({ port, path: `/guide/${path}`, host: '127.0.0.1' }).end(),
      'response',
    )
    const body = await text(response)
    assert.equal(response.statusCode, 404, path)
    assert.equal(JSON.parse(body).error.message, 'No page of the guide has this path.', path)
  }
})

test('without a build the response says how to make one; a build needs no restart', async (t) => {
  const { app, build } = guideServer(t)
  for (const url of ['/guide', '/guide/tutorial']) {
    const before = await app.inject(url)
    assert.equal(before.statusCode, 404)
    assert.equal(before.json().error.message, 'The guide is not built; run "npm run docs".')
  }
  build()
  assert.equal((await app.inject('/guide')).statusCode, 200)
})
