// Start errors for ports, from the error messages of Node.js and of the gRPC library.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portProblem } from './ports.ts'

test('the error for a port without permission names the setting to change', () => {
  const line = 'No permission to open port 80; set PORT to a port from 1024 to 65535.'
  const own = new Error('listen EACCES: permission denied 127.0.0.1:80')
  assert.equal(portProblem(own, 80, 'PORT'), line)
  const wrapped = new Error(`No address added out of total 1 resolved errors: [${own.message}]`)
  assert.equal(portProblem(wrapped, 80, 'PORT'), line)
})

test('the error for a port in use names the setting to change', () => {
  const error = new Error('listen EADDRINUSE: address already in use 127.0.0.1:50055')
  const line = 'Port 50055 is in use by another process; set GRPC_PORT to a free port.'
  assert.equal(portProblem(error, 50_055, 'GRPC_PORT'), line)
})

test('other errors are not about the port', () => {
  assert.equal(portProblem(new Error('read ECONNRESET'), 80, 'PORT'), null)
})
