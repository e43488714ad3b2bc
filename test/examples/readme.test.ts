// The README shows the commands of a first trade as the first start prints them.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startMessage } from '../../src/ops/start-message.ts'

const readme = readFileSync(`${import.meta.dirname}/../../README.md`, 'utf8')

test('the README shows the commands that the first start prints', () => {
  const printed = startMessage({
    version: '0.1.0',
    url: 'http://127.0.0.1:8084',
    grpcAddress: '127.0.0.1:50055',
    metricsUrl: null,
    isOnAllInterfaces: false,
    hasConsole: true,
    hasGuide: true,
    dataDir: './data',
    adminKeyPath: null,
    demo: { id: '', key: 'oc_live_0' },
  })
  const lines = printed.trimEnd().split('\n')
  const first = lines.findIndex((line) => line.startsWith('Paste this')) + 2
  const commands = lines.slice(first).map((line) => line.replace(/^ {2}/, ''))
  assert.ok(first > 2 && commands.length > 5, printed)
  assert.ok(readme.includes(`\`\`\`sh\n${commands.join('\n')}\n\`\`\``), commands.join('\n'))
})
