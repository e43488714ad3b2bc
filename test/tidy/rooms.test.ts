// Imports between rooms, in examples and in the project.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkRooms } from './rooms.ts'
import { checkTree } from './tree.ts'
import { assertNone } from './violation.ts'

const allowed: readonly [path: string, text: string][] = [
  ['src/core/place.ts', `import { match } from './match.ts'`],
  ['src/core/book/levels.ts', `import type { Price } from '../units.ts'`],
  ['src/core/orders/place.ts', `import { rest } from '../book/queue.ts'`],
  ['src/core/memory/sum.test.ts', `import { place } from '../orders/place.ts'`],
  [
    'src/core/match.test.ts',
    `import test from 'node:test'\nimport assert from 'node:assert/strict'`,
  ],
  ['src/core/match.test.ts', `import { script } from '../../test/support/script.ts'`],
  ['src/store/sqlite/commit.ts', `import { DatabaseSync } from 'node:sqlite'`],
  ['src/store/sqlite/commit.ts', `import { rows } from './rows.ts'\nimport '../../core/fact.ts'`],
  ['src/store/store.test.ts', `import { open } from './sqlite/open.ts'`],
  ['src/engine/engine.ts', `import type { Store } from '../store/store.ts'`],
  ['src/engine/engine.test.ts', `import { place } from '../core/place.ts'`],
  ['src/api/rest/server.ts', `import fastify from 'fastify'\nimport '../../ops/log.ts'`],
  ['src/api/rest/routes/orders.ts', `import { Done } from '../../http/response.ts'`],
  ['src/api/ws/session.ts', `import { frameOf } from './encode.ts'\nimport '../errors.ts'`],
  ['src/cluster/router.ts', `import { submit } from '../engine/engine.ts'`],
  ['src/config.ts', `import { limits } from './core/limits.ts'`],
  ['src/config.test.ts', `import { readConfig } from './config.ts'\nimport 'node:test'`],
  ['src/main.ts', `import './store/postgres/open.ts'\nimport './config.ts'\nimport 'node:fs'`],
  ['console/app.ts', `import { connect } from '../client/src/connect.ts'\nimport 'preact'`],
  ['client/src/client.ts', `import { Transport } from './transport.ts'`],
  ['client/generate/write.ts', `import { startService } from '../../src/wiring/start.ts'`],
  ['examples/market-maker.ts', `import { OutcryClient } from '../client/src/outcry.ts'`],
  ['demo/run.ts', `import { OutcryClient } from '../client/src/outcry.ts'\nimport 'node:util'`],
  ['bench/core.ts', `import '../src/core/exchange.ts'\nimport 'nodejs-order-book'`],
]

const forbidden: readonly [path: string, text: string, message: RegExp][] = [
  ['src/core/place.ts', `import { log } from '../ops/log.ts'`, /core may import nothing.*ops\/log/],
  ['src/core/place.ts', `import type { Store } from '../store/store.ts'`, /not store\/store\.ts/],
  ['src/core/place.ts', `import { hash } from 'node:crypto'`, /core may import no package/],
  ['src/core/place.ts', `import assert from 'node:assert'`, /core may import no package/],
  ['src/core/place.ts', `export * from 'uuidv7'`, /"uuidv7"/],
  ['src/core/place.ts', `await import('node:fs')`, /"node:fs"/],
  ['src/core/place.ts', `import { script } from '../../test/support/script.ts'`, /test\/support/],
  ['src/core/place.ts', `import { a } from '../corek/a.ts'`, /not corek\/a\.ts/],
  ['src/core/match.test.ts', `import 'node:fs'`, /"node:fs"/],
  ['src/core/money.ts', `import './memory/sum.ts'`, /core comes before core\/memory/],
  ['src/core/state/a.ts', `import type { A } from '../book/a.ts'`, /state comes before core\/book/],
  ['src/core/orders/a.ts', `import '../events/a.ts'`, /not core\/events\/a\.ts/],
  ['src/core/match.test.ts', `import '../engine/engine.ts'`, /engine\/engine\.ts/],
  ['src/store/store.ts', `import '../engine/turn.ts'`, /store may import only core/],
  ['src/store/store.ts', `import { open } from './sqlite/open.ts'`, /only the wiring names/],
  ['src/store/sqlite/open.ts', `import '../postgres/open.ts'`, /only the wiring names/],
  ['src/engine/engine.ts', `import '../store/sqlite/open.ts'`, /not store\/sqlite\/open\.ts/],
  ['src/engine/engine.ts', `import pg from 'pg'`, /database driver/],
  ['src/engine/engine.ts', `import '../api/parse/order.ts'`, /not api/],
  ['src/registry/keys.ts', `import '../ops/log.ts'`, /registry may import only core/],
  ['src/api/rest/server.ts', `import '../../config.ts'`, /not config\.ts/],
  ['src/api/rest/server.ts', `import '../ws/document.ts'`, /of api\/ws import from api\/ws/],
  ['src/api/ws/server.ts', `import '../rest/faults.ts'`, /not api\/rest\/faults\.ts/],
  ['src/api/ws/server.ts', `import '../grpc/status.ts'`, /not api\/grpc\/status\.ts/],
  ['src/api/grpc/calls.ts', `import '../rest/page-answer.ts'`, /import from api\/rest/],
  ['src/api/grpc/calls.test.ts', `import '../ws/frame.ts'`, /import from api\/ws/],
  ['src/api/admission/caller.ts', `import type { A } from '../ws/context.ts'`, /not api\/ws/],
  ['src/api/validate/validation.ts', `import '../rest/body.ts'`, /not api\/rest\/body\.ts/],
  ['src/api/parse/order.ts', `import '../grpc/words.ts'`, /not api\/grpc\/words\.ts/],
  ['src/api/present/order.ts', `import type { A } from '../../../client/src/a.ts'`, /not client/],
  ['src/main.ts', `import '../bench/core.ts'`, /main\.ts may import only src/],
  ['client/src/connect.ts', `import ws from 'ws'`, /client\/src may import no package/],
  ['client/src/client.ts', `import type { A } from '../../src/a.ts'`, /src may import nothing/],
  ['client/src/client.ts', `import { a } from '../generate/a.ts'`, /src may import nothing/],
  ['console/app.ts', `import '../src/core/place.ts'`, /console may import only client/],
  ['examples/market-maker.ts', `import '../src/engine/engine.ts'`, /examples may import only/],
  ['demo/run.ts', `import '../src/main.ts'`, /demo may import only client/],
  ['src/feed/outbox.ts', `import('../' + name)`, /computed/],
  ['src/feed/outbox.ts', `import '#engine'`, /relative path/],
  ['src/pricing/curve.ts', '', /room pricing is not in the table/],
  ['src/server.ts', '', /server\.ts is in no room/],
]

describe('the rooms rule', () => {
  for (const [path, text] of allowed) {
    test(`accepts in ${path}: ${text.replace('\n', '; ')}`, () =>
      assertNone(checkRooms(path, text)))
  }

  for (const [path, text, message] of forbidden) {
    test(`rejects in ${path}: ${text || 'any content'}`, () => {
      const violations = checkRooms(path, text)
      assert.equal(violations.length, 1)
      assert.match(violations[0]!.message, message)
    })
  }

  test('reports the line of the import', () => {
    const text = `// Header.\n\nimport { a } from './a.ts'\nimport {\n  b,\n} from 'b'\n`
    assert.equal(checkRooms('src/core/place.ts', text)[0]?.line, 4)
  })

  test('holds for the project', () => assertNone(checkTree(checkRooms)))
})
