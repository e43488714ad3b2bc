// The text that the service prints when it has started.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StartMessage, startMessage } from './start-message.ts'

const plain: StartMessage = {
  version: '1.2.3',
  url: 'http://127.0.0.1:8084',
  grpcAddress: '127.0.0.1:50055',
  metricsUrl: null,
  isOnAllInterfaces: false,
  hasConsole: true,
  hasGuide: true,
  dataDir: './data',
  adminKeyPath: null,
  demo: null,
}

test('a service on all interfaces says so, and how to change it', () => {
  const line = /^It listens on all interfaces, .+ set HOST=127\.0\.0\.1 to change that\.$/m
  assert.match(startMessage({ ...plain, isOnAllInterfaces: true }), line)
  assert.doesNotMatch(startMessage(plain), /interfaces/)
})

test('a console or a guide that is not built is not offered', () => {
  assert.match(startMessage(plain), /console {5}http:\/\/127\.0\.0\.1:8084\/console\n/)
  assert.doesNotMatch(startMessage({ ...plain, hasConsole: false }), /console/)
  assert.doesNotMatch(startMessage({ ...plain, hasGuide: false }), /guide/)
})

test('a later start says how to create another key of "demo"', () => {
  const demo = { id: 'some-id', key: null }
  const path = 'http://127.0.0.1:8084/api/v1/admin/operators/some-id/keys'
  const withKey = startMessage({ ...plain, demo })
  assert.ok(withKey.includes('-H "X-Admin-Key: $ADMIN_API_KEY"') && withKey.includes(path), withKey)
  const ofFile = startMessage({ ...plain, demo, adminKeyPath: 'data/admin.key' })
  assert.ok(ofFile.includes('-H "X-Admin-Key: $(cat data/admin.key)"'), ofFile)
  const ofOddFile = startMessage({ ...plain, demo, adminKeyPath: `it's $here/admin.key` })
  assert.ok(ofOddFile.includes(`$(cat 'it'\\''s $here/admin.key')`), ofOddFile)
  assert.doesNotMatch(withKey, /export URL=/)
})
