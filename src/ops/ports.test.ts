// Start errors for ports, from the error messages of Node.js and of the gRPC library.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PortsCannotOpen, portProblem } from './ports.ts'

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

test('several ports in use are named in one line, with the settings to change', () => {
  const inUse = new Error('listen EADDRINUSE: address already in use')
  const two = [
    { error: inUse, port: 50_055, setting: 'GRPC_PORT' },
    { error: inUse, port: 8_084, setting: 'PORT' },
  ]
  const line =
    'Ports 50055 and 8084 are in use by other processes; set GRPC_PORT and PORT to free ports.'
  assert.equal(new PortsCannotOpen(two).message, line)
  const denied = { error: new Error('listen EACCES: denied'), port: 80, setting: 'METRICS_PORT' }
  assert.equal(
    new PortsCannotOpen([...two, denied]).message,
    `${line} No permission to open port 80; set METRICS_PORT to a port from 1024 to 65535.`,
  )
})

test('a port that cannot be opened for another reason is one line', () => {
  const error = new Error('listen EADDRNOTAVAIL\nat somewhere')
  assert.equal(
    new PortsCannotOpen([{ error, port: 80, setting: 'PORT' }]).message,
    'Port 80 of PORT cannot be opened: listen EADDRNOTAVAIL',
  )
})
