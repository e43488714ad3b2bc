// The viewer of the reference is a copy, so that a production install has it, too.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'

const packageFolder = new URL(
  '../../../../node_modules/@scalar/fastify-api-reference/',
  import.meta.url,
)

test('the viewer and its licence are those of the installed package', () => {
  const own = (name: string) => readFileSync(new URL(name, import.meta.url))
  const original = (name: string) => readFileSync(new URL(name, packageFolder))
  const viewer = gunzipSync(own('viewer.js.gz'))
  const advice = 'run npm run vendor:reference'
  assert.ok(viewer.equals(original('dist/js/standalone.js')), advice)
  assert.ok(own('LICENSE').equals(original('LICENSE')), advice)
})
