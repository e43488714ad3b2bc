// The documents are correct in the eyes of the linters that their readers use.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Parser } from '@asyncapi/parser'
import { testServer } from '../../../test/support/http/rest-server.ts'

const redocly = fileURLToPath(new URL('../../../node_modules/.bin/redocly', import.meta.url))
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
/** /health, /ready and the pages refuse nothing but a caller that exceeds its rate. */
const exempt = ['--skip-rule', 'operation-4xx-response']

const folder = await mkdtemp(join(tmpdir(), 'outcry-lint-'))
after(() => rm(folder, { recursive: true, force: true }))

const warning = 1

type Problem = { readonly ruleId: string; readonly message: string }

async function problemsOf(document: string): Promise<readonly Problem[]> {
  const file = join(folder, 'openapi.json')
  await writeFile(file, document)
  const args = ['lint', file, '--format', 'json', ...exempt]
  const output = await new Promise<string>((resolve) => {
    execFile(redocly, args, { env, cwd: folder }, (_error, stdout) => resolve(stdout))
  })
  const report: { readonly problems: readonly Problem[] } = JSON.parse(output)
  return report.problems.map(({ ruleId, message }) => ({ ruleId, message }))
}

test('redocly finds nothing wrong with the OpenAPI document', async () => {
  const { body } = await testServer().inject('/openapi.json')
  assert.deepEqual(await problemsOf(body), [])
  const broken = body.replace('"operationId":"placeOrder"', '"operationId":"amendOrder"')
  const rules = (await problemsOf(broken)).map(({ ruleId }) => ruleId)
  assert.deepEqual(rules, ['operation-operationId-unique'], 'the linter ran')
})

test('the parser of AsyncAPI finds nothing wrong with the document of the stream', async () => {
  const { body } = await testServer().inject('/asyncapi.json')
  const parser = new Parser()
  // Less severe is a hint that there is a later version of AsyncAPI.
  const found = async (text: string) =>
    (await parser.parse(text)).diagnostics.filter(({ severity }) => severity <= warning)
  assert.deepEqual(await found(body), [])
  const broken = body.replace('"action":"send"', '"action":"say"')
  assert.ok((await found(broken)).length > 0, 'the parser ran')
})
