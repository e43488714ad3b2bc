// The examples' README shows the first one and what it prints: both must be true.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = `${import.meta.dirname}/../..`
const readme = readFileSync(`${root}/examples/README.md`, 'utf8')

test('the README shows the first trade as it stands in examples/', () => {
  const example = readFileSync(`${root}/examples/first-trade.ts`, 'utf8')
  assert.ok(readme.includes(`\`\`\`ts\n${example}\`\`\``))
})

test('the README shows what the first trade prints', () => {
  const printed = execFileSync(process.execPath, [`${root}/examples/first-trade.ts`]).toString()
  assert.ok(readme.includes(`\`\`\`text\n${printed}\`\`\``), printed)
})
