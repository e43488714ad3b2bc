// Answers that depend on a turn in flight, although their own turn changes nothing: books, prices
// and rejections. They leave together with that turn, or fail with it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '../../src/engine/commands.ts'
import { CommitFailure } from '../../src/store/store.ts'
import { settled } from '../support/process/timing.ts'
import { answerOf, codeOf, type EngineFixture, withEngine } from './engine-fixture.ts'

/** Alice sells all her shares in a turn in flight; a book, prices and a rejection show that. */
async function followTurnInFlight(fixture: EngineFixture) {
  const market = await fixture.market()
  answerOf(await fixture.mint(market.id, 'alice', 10))
  const isSent = Promise.withResolvers<void>()
  const end = Promise.withResolvers<'commit' | 'abort'>()
  fixture.commitHook = async (turn, commit) => {
    isSent.resolve()
    if ((await end.promise) === 'commit') return commit(turn)
    throw new CommitFailure('planted', { outcome: 'aborted' })
  }
  const answered: string[] = []
  const watch = <Answer>(name: string, answer: Promise<Answer>) => {
    const note = () => answered.push(name)
    answer.then(note, note)
    return answer
  }
  const sale = { playerId: 'alice', side: 'SELL' } as const
  const placed = watch('placed', fixture.place(market, sale))
  await isSent.promise
  const [outcomeSerial = null] = market.outcomes
  assert.ok(outcomeSerial !== null)
  const query = { marketSerial: market.id, outcomeSerial }
  const followers = [
    watch('rejection', fixture.place(market, sale)),
    watch('book', fixture.engine.submit('book', { ...query, depth: 1 })),
    watch('prices', fixture.engine.submit('prices', query)),
  ] as const
  await settled()
  assert.deepEqual(answered, [], 'answered before the turn was stored')
  return { placed, followers, end: end.resolve }
}

test('books, prices and rejections that show a turn in flight are answered when it is stored', () =>
  withEngine(async (fixture) => {
    const { placed, followers, end } = await followTurnInFlight(fixture)
    end('commit')
    answerOf(await placed)
    const [rejection, book, prices] = await Promise.all(followers)
    assert.equal(codeOf(rejection), 'POSITION_INSUFFICIENT_SHARES')
    assert.equal(answerOf(book).asks.length, 1)
    assert.equal(answerOf(prices).length, 1)
  }))

test('books, prices and rejections that show a turn in flight fail if it is not stored', () =>
  withEngine(async (fixture) => {
    const { placed, followers, end } = await followTurnInFlight(fixture)
    end('abort')
    for (const answer of [placed, ...followers]) await assert.rejects(answer, Unavailable)
  }))
