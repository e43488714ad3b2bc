// The README of the examples contains the first-trade example and its output.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = `${import.meta.dirname}/../..`
const readme = readFileSync(`${root}/examples/README.md`, 'utf8')

test('the README contains first-trade.ts unchanged', () => {
  const example = readFileSync(`${root}/examples/first-trade.ts`, 'utf8')
  assert.ok(readme.includes(`\`\`\`ts\n${example}\`\`\``))
})

test('the README contains what first-trade.ts prints', () => {
  const printed = execFileSync(process.execPath, [`${root}/examples/first-trade.ts`]).toString()
  assert.ok(readme.includes(`\`\`\`text\n${printed}\`\`\``), printed)
})
