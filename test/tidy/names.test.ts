// Names of files and folders.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNames } from './names.ts'
import { checkTree } from './tree.ts'
import { assertNone } from './violation.ts'

const bad: readonly [path: string, message: RegExp][] = [
  ['src/core/utils.ts', /"utils" in "utils\.ts" is vague/],
  ['src/core/order-utils.ts', /"utils" in "order-utils\.ts" is vague/],
  ['src/core/helpers/price.ts', /"helpers" in "helpers" is vague/],
  ['src/api/index.ts', /"index"/],
  ['src/core/index.test.ts', /"index"/],
  ['src/core/types.test.ts', /"types"/],
  ['src/feed/webhook-handler.ts', /"handler"/],
  ['src/store/base-store.ts', /"base"/],
  ['test/common/clock.ts', /"common"/],
  ['client/lib/connect.ts', /"lib"/],
  ['src/core/orderBook.ts', /not kebab-case/],
  ['src/core/Book.ts', /not kebab-case/],
  ['src/core/order_book.ts', /not kebab-case/],
  ['src/coreRules/book.ts', /not kebab-case/],
  ['src/core/book-.ts', /not kebab-case/],
]

const good: readonly string[] = [
  'src/core/order-book.test.ts',
  'src/core/order-type.ts',
  'src/core/indexing.ts',
  'src/core/pair-index.ts',
  'src/store/migrations/0001-orders.sql',
  'src/api/grpc/generated/order_types.ts',
  'bench/results/2026-11-15-core.md',
  'bench/README.md',
  'console/index.html',
  'docs/decisions/README.md',
  'CONTRIBUTING.md',
  'LICENSE',
]

describe('the names rule', () => {
  for (const [path, message] of bad) {
    test(`rejects ${path}`, () => {
      const violations = checkNames(path, '')
      assert.equal(violations.length, 1)
      assert.match(violations[0]!.message, message)
    })
  }

  for (const path of good) {
    test(`accepts ${path}`, () => assertNone(checkNames(path, '')))
  }

  test('holds for the project', () => assertNone(checkTree(checkNames)))
})
