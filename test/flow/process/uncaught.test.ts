// Failures that nothing in the service catches: they are reported, and the service continues.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { Service } from '../../support/process/outcry-process.ts'

const stray = new URL('../../support/process/stray-failures.ts', import.meta.url).href

test('a stray exception and a stray rejection are reported, and end nothing', async () => {
  const service = await Service.start({ env: { NODE_OPTIONS: `--import ${stray}` } })
  try {
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    service.process.kill('SIGUSR2')
    const logged = () => /uncaught exception/.test(service.printed())
    for (let tries = 0; tries < 500 && !(logged() || service.hasEnded); tries += 1) await pause(10)
    assert.match(service.printed(), /"event":"uncaught exception"/)
    assert.match(service.printed(), /"event":"unhandled rejection"/)
    await operator.buy(market)
    const { body } = await service.request('GET', '/metrics')
    assert.match(body, /^outcry_edge_failures_total\{edge="process"\} 2$/m)
  } finally {
    await service.stop()
  }
})

test('a log that cannot be written ends nothing, and delays no exit', {
  skip: process.platform !== 'linux',
}, async () => {
  const log = new URL('../../../src/ops/log.ts', import.meta.url).href
  const program = `
    const { createLog } = await import(${JSON.stringify(log)})
    createLog({ level: 'info' }).info('one line')
    setTimeout(() => process.exit(7), 300)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  const [code] = await once(child, 'exit')
  assert.equal(code, 7)
})
