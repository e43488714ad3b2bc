// Tests of the names that files and folders may have.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNames } from './names.ts'
import { checkTree } from './tree.ts'
import { assertNone } from './violation.ts'

const bad: readonly [path: string, message: RegExp][] = [
  ['src/core/utils.ts', /"utils" in "utils\.ts" is a drawer/],
  ['src/core/order-utils.ts', /"utils" in "order-utils\.ts" is a drawer/],
  ['src/core/helpers/price.ts', /"helpers" in "helpers" is a drawer/],
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

describe('names', () => {
  for (const [path, message] of bad) {
    test(`${path} is refused`, () => {
      const violations = checkNames(path, '')
      assert.equal(violations.length, 1)
      assert.match(violations[0]!.message, message)
    })
  }

  for (const path of good) {
    test(`${path} is taken`, () => assertNone(checkNames(path, '')))
  }

  test('the project has no drawers', () => assertNone(checkTree(checkNames)))
})
