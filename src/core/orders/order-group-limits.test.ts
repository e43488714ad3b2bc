// How many order groups there may be, and whose they are.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, participant } from '../../../test/support/core/exchange.ts'
import type { Shares } from '../money.ts'
import { createOrderGroup, operatorGroupsMax, orderGroupsMax } from './order-groups.ts'

describe('groups', () => {
  test(`are at most ${orderGroupsMax} of a player, without those that are deleted`, () => {
    const exchange = newExchange()
    const made = Array.from({ length: orderGroupsMax }, () => exchange.createGroup('ann', 1))
    assert.ok(made.every(({ code }) => code === null))
    assert.equal(exchange.createGroup('ann', 1).code, 'ORDER_GROUP_LIMIT')
    assert.equal(exchange.createGroup('bob', 1).code, null)
    exchange.changeGroup(made[3]!.group, 'delete')
    assert.equal(exchange.createGroup('ann', 1).code, null)
    assert.equal(exchange.createGroup('ann', 1).code, 'ORDER_GROUP_LIMIT')
  })

  test(`are at most ${operatorGroupsMax} of an operator`, () => {
    const exchange = newExchange()
    for (let group = 0; group < operatorGroupsMax - 1; group += 1) {
      const command = { limitShares: 1 as Shares, windowMs: 1_000, playerId: `p${group}` }
      createOrderGroup(exchange.core, { ...command, operator: exchange.core.operator('house')! })
    }
    const { code, group } = exchange.createGroup('ann', 1)
    assert.equal(code, null)
    assert.deepEqual(exchange.createGroup('bob', 1).reject, {
      code: 'OPERATOR_LIMIT',
      limit: 'ORDER_GROUPS',
      max: operatorGroupsMax,
    })
    assert.equal(exchange.createGroup('gil', 1, { operator: participant }).code, null)
    exchange.changeGroup(group, 'delete')
    assert.equal(exchange.createGroup('bob', 1).code, null)
  })

  test('of another operator are changed by none', () => {
    const exchange = newExchange()
    const { group } = exchange.createGroup('ann', 10)
    for (const change of ['reset', 'trigger', 'delete', 7] as const) {
      const { code } = exchange.changeGroup(group, change, participant)
      assert.equal(code, 'ORDER_GROUP_NOT_FOUND')
    }
  })
})
