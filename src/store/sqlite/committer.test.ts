// The thread that commits turns keeps its file small, and goes on after a turn that failed.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, type TestContext, test } from 'node:test'
import {
  commandsIn,
  noTurns,
  prepare,
  smallTurn,
} from '../../../test/support/store/pending-turns.ts'
import type { CommitFailure } from '../store.ts'
import { Committer } from './committer.ts'
import { turnsFile } from './turns-file.ts'

/** In a new folder; it follows the first head. */
function newCommitter(context: TestContext, isReserveReleased = false) {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-committer-'))
  prepare(folder)
  const committer = new Committer(folder, () => isReserveReleased)
  committer.follow(noTurns)
  context.after(() => {
    committer.close()
    rmSync(folder, { recursive: true })
  })
  const commit = (from: number, derivedTo = 0, change = {}) => {
    const turn = { ...smallTurn(0, from), generation: 0, ...change }
    committer.commit({ turn, derivedTo })
  }
  return { folder, committer, commit }
}

function probesIn(folder: string): unknown {
  const database = new DatabaseSync(turnsFile(folder), { readOnly: true })
  const { probes } = database.prepare('SELECT count(*) AS probes FROM probes').get()!
  database.close()
  return probes
}

suite('a committer', () => {
  test('deletes the turns that the tables have, some with each commit, and no other', (context) => {
    const { folder, commit } = newCommitter(context)
    for (let from = 0; from < 200; from += 1) commit(from)
    assert.equal(commandsIn(folder).length, 200)
    commit(200, 150)
    assert.deepEqual(commandsIn(folder).slice(0, 2), [65, 66])
    for (const from of [201, 202, 203, 204]) commit(from, 150)
    assert.deepEqual([commandsIn(folder)[0], commandsIn(folder).length], [151, 55])
    commit(205, 205)
    assert.deepEqual(commandsIn(folder), [206])
  })

  test('goes on after a turn that could not be written', (context) => {
    const { folder, commit } = newCommitter(context)
    commit(0)
    // There is a turn with that last command.
    assert.throws(() => commit(1, 0, { to: 1 }), { name: 'CommitFailure', outcome: 'aborted' })
    commit(1, 0, { generation: 1 })
    assert.deepEqual(commandsIn(folder), [1, 2])
  })

  test('leaves nothing of a probe', (context) => {
    const { folder, committer } = newCommitter(context)
    assert.equal(committer.probe(), true)
    assert.equal(probesIn(folder), 0)
  })

  test('reports a full disk also for the turns that were sent before it was known', (context) => {
    const { commit } = newCommitter(context, true)
    const isFullDisk = ({ outcome, isFull }: CommitFailure) => outcome === 'aborted' && isFull
    for (const from of [0, 1]) assert.throws(() => commit(from), isFullDisk)
  })
})
