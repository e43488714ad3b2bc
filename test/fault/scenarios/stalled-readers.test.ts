// Stream clients that do not read cost a bounded amount of memory, are closed, and affect no
// others.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { runStalled } from '../../support/stream/stalled-run.ts'

const clients = 200
const memoryPerClientMax = 1
const memoryBesideMax = 100

test('stalled clients are closed with 4008 and do not affect other clients', async (context) => {
  // The memory of a process is read from /proc.
  if (!existsSync('/proc/self/status')) return
  const result = await runStalled(clients, (text) => context.diagnostic(text))
  context.diagnostic(JSON.stringify(result))
  assert.deepEqual(result.codes, { 4008: clients })
  const grown = result.memoryMost - result.memoryBefore
  assert.ok(grown <= clients * memoryPerClientMax + memoryBesideMax, `${grown} MiB`)
  assert.equal(result.gaps, 0)
  assert.equal(result.conflations, 0)
  assert.ok(result.updates > clients * 50, `${result.updates} updates`)
  // Both vary on a loaded machine; a stalled client that affects others would cost them seconds.
  assert.ok(result.p99Beside <= result.p99Before * 2 + 200, `${result.p99Beside} ms`)
})
