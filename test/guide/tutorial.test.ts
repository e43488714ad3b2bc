// The commands of the tutorial, as a reader pastes them, against a service that was just started.
// What follows a block of commands is what they print.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Service } from '../support/process/outcry-process.ts'

const service = await Service.start()
after(() => service.stop())

type Step = { readonly commands: string; printed: string | null }

function stepsOf(page: string): Step[] {
  const steps: Step[] = []
  for (const [, language, text = ''] of page.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    if (language === 'sh') steps.push({ commands: text, printed: null })
    else steps.at(-1)!.printed = text
  }
  return steps
}

test('every command of the tutorial prints what the tutorial says', async () => {
  const url = new URL('../../docs/guide/tutorial.md', import.meta.url)
  const steps = stepsOf(readFileSync(url, 'utf8'))
  assert.ok(steps.length > 15)
  const marked = steps.map(({ commands }, at) => `echo "== ${at}"\n${commands}`)
  const script = ['set -eu -o pipefail', ...marked].join('\n')
  const { id, key } = await service.newOperator()
  assert.ok(id.length > 0)
  const env = { ...process.env, URL: service.url, KEY: key }
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { env })
  assert.equal(stderr, '')
  const printed = stdout.split(/^== \d+\n/m).slice(1)
  assert.equal(printed.length, steps.length)
  for (const [at, step] of steps.entries()) {
    assert.equal(printed[at], step.printed ?? '', step.commands)
  }
})

test('the first start prints the line from which the tutorial takes the key', async () => {
  const first = await Service.start({ env: { DEMO_OPERATOR: 'true' } })
  try {
    assert.match(first.printed(), /^ {2}export URL=\S+ KEY=\S+$/m)
  } finally {
    await first.stop()
  }
})
