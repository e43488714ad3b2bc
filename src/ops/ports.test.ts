// What is said of a port that cannot be opened, to the words of Node.js and of gRPC's library.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complaintAboutPort } from './ports.ts'

test('a port that this user may not open is told with the setting to change', () => {
  const line = 'This user may not open port 80; set PORT to one from 1024 on.'
  const own = new Error('listen EACCES: permission denied 127.0.0.1:80')
  assert.equal(complaintAboutPort(own, 80, 'PORT'), line)
  const wrapped = new Error(`No address added out of total 1 resolved errors: [${own.message}]`)
  assert.equal(complaintAboutPort(wrapped, 80, 'PORT'), line)
})

test('a port in use likewise', () => {
  const error = new Error('listen EADDRINUSE: address already in use 127.0.0.1:50055')
  const line = 'Port 50055 is in use by another process; set GRPC_PORT to a free one.'
  assert.equal(complaintAboutPort(error, 50_055, 'GRPC_PORT'), line)
})

test('of other errors it says nothing', () => {
  assert.equal(complaintAboutPort(new Error('read ECONNRESET'), 80, 'PORT'), null)
})
