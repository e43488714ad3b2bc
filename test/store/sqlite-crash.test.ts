// What the embedded store guarantees if its process is killed or its disk fails.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { suite, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { onlyShard } from '../support/store/only-shard.ts'
import { owner } from './sample-rows.ts'

const program = fileURLToPath(new URL('./killed-writer.ts', import.meta.url))
/** Too small for the log of a few turns, in blocks of 512 or 1024 bytes. */
const fileBlocksMax = 2_400

function newFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-crash-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The last sequence that the process reported as stored, and its last line. */
async function run(
  child: ChildProcess,
  killAfter: number,
): Promise<{ stored: number; last: string }> {
  let stored = 0
  let last = ''
  const ended = new Promise((resolve) => child.once('close', resolve))
  for await (const line of createInterface({ input: child.stdout! })) {
    last = line
    if (line.startsWith('stored ')) stored = Number(line.slice('stored '.length))
    if (stored >= killAfter) child.kill('SIGKILL')
  }
  await ended
  return { stored, last }
}

async function assertWhole(folder: string, stored: number): Promise<number> {
  const store = await openSqliteStore({ folder, onFatal: (cause) => assert.fail(cause) })
  try {
    const { commandSequence, batchId } = await onlyShard(store).claim()
    assert(
      commandSequence >= stored,
      `${stored} was answered, but the head is at ${commandSequence}`,
    )
    assert.equal(batchId, `batch-${commandSequence - 1}`)
    const query = {
      marketSerial: null,
      outcomeSerial: null,
      playerId: null,
      side: null,
      type: null,
    }
    const more = { statuses: null, transactionId: null, after: null, limit: 1_000_000 }
    const page = await onlyShard(store).reads.orders({ operatorNumber: owner, ...query, ...more })
    // The first turn has created the market, each later turn an order.
    assert.equal(page.rows.length, commandSequence - 1)
    assert.equal(page.total, commandSequence - 1)
    const { records } = await onlyShard(store).load()
    assert.equal([...records.orders].length, commandSequence - 1)
    return commandSequence
  } finally {
    await store.close()
  }
}

suite('the embedded store', () => {
  test('keeps every answered turn if its process is killed', async (context) => {
    const folder = newFolder(context)
    let before = 0
    for (const turns of [3, 40, 17]) {
      const child = spawn(process.execPath, [program, folder])
      const { stored } = await run(child, before + turns)
      assert(stored >= before + turns)
      before = await assertWhole(folder, stored)
    }
  })

  test('ends its process if the disk fails; the next finds whole turns', async (context) => {
    const folder = newFolder(context)
    const limited = `ulimit -f ${fileBlocksMax}; exec "$0" "$@"`
    const child = spawn('sh', ['-c', limited, process.execPath, program, folder])
    const { stored, last } = await run(child, Number.POSITIVE_INFINITY)
    assert.match(last, /^(?:fatal|unknown) It is unknown whether the turn was stored/)
    assert.equal(child.exitCode, last.startsWith('fatal') ? 70 : 1)
    assert(stored > 0)
    await assertWhole(folder, stored)
  })
})
