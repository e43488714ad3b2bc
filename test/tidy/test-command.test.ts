// The README and continuous integration use the same test command.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkTestCommand } from './test-command.ts'
import { readText } from './tree.ts'
import { assertNone } from './violation.ts'

const readme = '# Outcry\n\n```sh\nnpm ci && npm test\n```\n'
const ciRun = '#!/usr/bin/env bash\nset -e\n\nnpm ci\nnpm test\n'

type Case = [claim: string, path: string, readme: string | undefined, ciRun: string | undefined]

const bad: readonly Case[] = [
  ['there is no README', 'README.md', undefined, ciRun],
  ['the README shows another command', 'README.md', readme.replace('npm ci', 'npm i'), ciRun],
  ['the README only mentions it in prose', 'README.md', readme.replaceAll('```', ''), ciRun],
  ['the README adds to it', 'README.md', readme.replace('npm test', 'npm test -- -v'), ciRun],
  ['there is no .ci/run', '.ci/run', readme, undefined],
  ['.ci/run does not install', '.ci/run', readme, 'npm test\n'],
  ['.ci/run does not test', '.ci/run', readme, 'npm ci\n# npm test\n'],
  ['.ci/run has the wrong order', '.ci/run', readme, 'npm test\nnpm ci\n'],
  ['.ci/run forgives a failure', '.ci/run', readme, 'npm ci\nnpm test || true\n'],
  ['.ci/run does more', '.ci/run', readme, 'npm ci\nnpm test\nnpm run bench\n'],
]

describe('the test-command rule', () => {
  for (const [claim, path, plantedReadme, plantedCiRun] of bad) {
    test(`rejects: ${claim}`, () => {
      const violations = checkTestCommand({ readme: plantedReadme, ciRun: plantedCiRun })
      assert.deepEqual(
        violations.map((violation) => violation.path),
        [path],
      )
    })
  }

  test('accepts the same command in both', () => assertNone(checkTestCommand({ readme, ciRun })))

  test('holds for the project', () =>
    assertNone(checkTestCommand({ readme: readText('README.md'), ciRun: readText('.ci/run') })))
})
