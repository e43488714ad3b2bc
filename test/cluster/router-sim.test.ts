// The router in simulated clusters, one per seed: what clients are told must agree with what the
// owners have executed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isQuery, waitsForJob } from '../../src/cluster/repeatable.ts'
import { RouterWorld, type Sent } from './router-world.ts'

const seeds = 250
/** Every so many seeds, nothing fails and shards only move as planned. */
const calmEvery = 4
const commandMsMax = 10_000
/** Limits are checked at ticks, and a tick may be due at the same time as an answer. */
const slackMs = 100

test('what clients are told agrees with what owners have executed, for every seed', async () => {
  const endings = new Map<string, number>()
  for (let seed = 1; seed <= seeds; seed += 1) {
    const isCalm = seed % calmEvery === 0
    const world = new RouterWorld(seed, { isCalm })
    await world.run()
    checkWorld(world, `seed ${seed}`)
    if (isCalm) checkCalm(world, `seed ${seed}`)
    for (const { ending } of world.sent) {
      endings.set(ending!.kind, (endings.get(ending!.kind) ?? 0) + 1)
    }
  }
  for (const kind of ['RESULT', 'UNAVAILABLE', 'COMMIT_UNKNOWN', 'FAILED']) {
    assert.ok((endings.get(kind) ?? 0) > 100, `some commands end with ${kind}`)
  }
})

function checkWorld(world: RouterWorld, seed: string): void {
  const executions = new Map<number, number>()
  for (const { command } of world.record.executions) {
    executions.set(command.number, (executions.get(command.number) ?? 0) + 1)
  }
  for (const sent of world.sent) {
    const { number, simKind: kind } = sent.command
    const name = `${seed}: ${kind} ${number}`
    const times = executions.get(number) ?? 0
    assert.ok(times <= 1, `${name} is executed ${times} times`)
    checkEnding(sent, times, name)
    const ms = sent.endedAt! - sent.sentAt
    const isInTime = ms <= commandMsMax + slackMs || waitsForJob(kind, sent.command)
    assert.ok(isInTime, `${name} ends after ${ms} ms`)
  }
  checkOrder(world, seed)
}

function checkEnding({ ending, command }: Sent, times: number, name: string): void {
  assert.ok(ending !== null, `${name} ends`)
  if (isQuery(command.simKind)) {
    assert.notEqual(ending.kind, 'COMMIT_UNKNOWN', name)
    return
  }
  if (ending.kind === 'RESULT') {
    assert.ok(ending.result.isAccepted, `${name} has the answer of its first try`)
    assert.equal(times, 1, `${name} is answered and was executed`)
  }
  if (ending.kind === 'UNAVAILABLE' || ending.kind === 'FAILED') {
    assert.equal(times, 0, `${name} is ${ending.kind}, so it was not executed`)
  }
}

/** Commands of one operator are executed in their order, but for those that a link has lost. */
function checkOrder({ record }: RouterWorld, seed: string): void {
  const last = new Map<string, number>()
  for (const { shard, command } of record.executions) {
    if (command.wasLost || waitsForJob(command.simKind, command)) continue
    const operatorId = 'operatorId' in command ? command.operatorId : ''
    const line = `${shard} ${operatorId}`
    const { number } = command
    const before = last.get(line) ?? 0
    assert.ok(before < number, `${seed}: ${before} of ${line} is executed before ${number}`)
    last.set(line, number)
  }
}

function checkCalm(world: RouterWorld, seed: string): void {
  assert.ok(world.sent.length > 0)
  for (const { ending, command } of world.sent) {
    assert.equal(ending?.kind, 'RESULT', `${seed}: ${command.simKind} ${command.number}`)
  }
}
