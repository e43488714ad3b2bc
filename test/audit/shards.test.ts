// npm run audit of a database with several shards.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OperatorClient } from '../support/http/operator-client.ts'
import { Service } from '../support/process/outcry-process.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'
import { runProgram } from './program.ts'

const server = await postgresOrNot('the audit of a database with several shards', quick)

if (server !== null) {
  after(() => server.stop())

  test('--shard audits one shard, and one that does not exist is bad usage', async (t) => {
    const { url } = await server.newDatabase()
    const service = await Service.start({ env: { DATABASE_URL: url, SHARDS: '2' } })
    t.after(() => service.stop())
    for (const shard of [0, 1]) {
      const operator = await OperatorClient.create(service, { shard })
      const market = await operator.openMarket()
      await operator.mint(market, 'ann', 5 + shard)
    }
    await query(url, 'UPDATE outcry_shard_1.positions SET shares = shares + 100')
    const audit = (...args: string[]) =>
      runProgram('audit', { folder: service.dataDir, args, env: { DATABASE_URL: url } })

    const [first, second, whole] = await Promise.all([
      audit('--shard', '0', '--json'),
      audit('--shard=1', '--json'),
      audit('--json'),
    ])
    assert.deepEqual([first.code, first.error, second.code, whole.code], [0, '', 1, 1])
    const [zero, one, both] = [first, second, whole].map(({ out }) => JSON.parse(out))
    assert.deepEqual([zero.counts.markets, one.counts.markets, both.counts.markets], [1, 1, 2])
    assert.ok(one.violationCount > 0)
    assert.deepEqual(both.violations, one.violations)
    for (const violation of one.violations) assert.match(violation, /^shard 1: /)

    const unknown = await audit('--shard', '2')
    assert.deepEqual([unknown.code, unknown.out], [64, ''])
    assert.equal(unknown.error, 'There is no shard 2; there are shards 0 to 1.\n')
    const noNumber = await audit('--shard', 'one')
    assert.deepEqual([noNumber.code, noNumber.out], [64, ''])
    assert.equal(noNumber.error, '--shard must be the number of a shard, got "one".\n')
  })
}
