// How the files of the console are served, from a temporary folder.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { testServer } from '../../../../test/support/http/rest-server.ts'

const script = 'export const loud = "outcry"\n'.repeat(40)

/** A server whose console is built, next to a file that must not be served. */
function consoleServer(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-console-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'secret.js'), 'secret')
  const consoleFolder = join(folder, 'dist')
  const build = () => {
    mkdirSync(join(consoleFolder, 'assets'), { recursive: true })
    writeFileSync(join(consoleFolder, 'index.html'), '<!doctype html><title>Outcry</title>')
    writeFileSync(join(consoleFolder, 'assets', 'main-1a2b.js'), script)
    writeFileSync(join(consoleFolder, 'notes.txt'), 'of no type that is served')
  }
  return { app: testServer({ consoleFolder }), build }
}

test('every view of the console is its single page, with a strict policy', async (t) => {
  const { app, build } = consoleServer(t)
  build()
  for (const url of ['/console', '/console/', '/console/markets/7?a=b', '/console/a/b/c']) {
    const { statusCode, headers, body } = await app.inject(url)
    assert.equal(statusCode, 200, url)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/)
    assert.match(body, /<title>Outcry/)
  }
})

test('a file with a content hash in its name is cached forever, and sent compressed', async (t) => {
  const { app, build } = consoleServer(t)
  build()
  const url = '/console/assets/main-1a2b.js'
  const plain = await app.inject(url)
  assert.equal(plain.body, script)
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  const zipped = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.ok(zipped.rawPayload.length < script.length / 4)
  assert.equal(gunzipSync(zipped.rawPayload).toString(), script)
  const unwanted = await app.inject({ url, headers: { 'accept-encoding': 'gzip;q=0' } })
  assert.equal(unwanted.body, script)
  const etag = String(plain.headers.etag)
  const again = await app.inject({ url, headers: { 'if-none-match': etag } })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
})

test('no path leads to a file that is not in the build', async (t) => {
  const { app, build } = consoleServer(t)
  build()
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  t.after(() => app.close())
  const paths = [
    ...['../secret.js', '..%2fsecret.js', '%2e%2e/secret.js', '%2e%2e%2fsecret.js', 'notes.txt'],
    ...['assets/../../secret.js', '..\\secret.js', '....//secret.js', '/secret.js', 'no-such.js'],
    ...['assets/../index.html', '%00index.html', '__proto__.js', 'constructor.js'],
  ]
  for (const path of paths) {
    const { status, body } = await requestRaw(port, `/console/${path}`)
    assert.equal(status, 404, path)
    assert.equal(JSON.parse(body).error.code, 'NOT_FOUND', path)
  }
})

test('without a build the response says how to make one; a build needs no restart', async (t) => {
  const { app, build } = consoleServer(t)
  const before = await app.inject('/console')
  assert.equal(before.statusCode, 404)
  assert.equal(before.json().success, false)
  assert.match(before.json().error.message, /npm run console:build/)
  build()
  assert.equal((await app.inject('/console')).statusCode, 200)
})

test('a browser at / is redirected to the console once it is built', async (t) => {
  const { app, build } = consoleServer(t)
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const asBrowser = { url: '/', headers: { accept } }
  assert.equal((await app.inject(asBrowser)).statusCode, 404)
  build()
  for (const url of ['/', '/?a=b']) {
    const { statusCode, headers } = await app.inject({ ...asBrowser, url })
    assert.deepEqual([statusCode, headers.location, headers.vary], [302, '/console', 'accept'])
    assert.ok(headers['x-request-id'])
  }
  for (const other of [
    { url: '/', headers: { accept: '*/*' } },
    { url: '/' },
    { ...asBrowser, method: 'POST' as const },
    { ...asBrowser, url: '/nothing' },
    { ...asBrowser, url: '//' },
  ]) {
    const answer = await app.inject(other)
    assert.equal(answer.statusCode, 404)
    assert.equal(answer.json().error.code, 'NOT_FOUND')
  }
})

/** With the path as it is: most clients would tidy it first. */
async function requestRaw(port: string, path: string) {
  const [response] = await once(request({ port, path, host: '127.0.0.1' }).end(), 'response')
  return { status: response.statusCode, body: await text(response) }
}
