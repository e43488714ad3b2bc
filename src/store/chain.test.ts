// The chain of turns detects any change of a turn.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { chainHash, chainStart } from './chain.ts'
import { RowPacker } from './row-bytes.ts'

function turnOf(texts: readonly string[], from = 0) {
  const packer = new RowPacker()
  for (const job of texts) packer.add('job', { marketSerial: 1, isDone: 0, job })
  return { epoch: 1, from, to: from + 1, rows: packer.bytes }
}

function hashOf(previous: Uint8Array, turn: ReturnType<typeof turnOf>): Uint8Array {
  return chainHash(previous, turn, turn.rows)
}

suite('the chain of turns', () => {
  test('the same turns have the same hash', () => {
    const turn = turnOf(['a', 'b'])
    assert.deepEqual(hashOf(chainStart, turn), hashOf(chainStart, turnOf(['a', 'b'])))
    assert.equal(hashOf(chainStart, turn).length, 32)
  })

  test('another row, text, order, epoch or predecessor gives another hash', () => {
    const turn = turnOf(['a', 'b'])
    const hashes = [
      hashOf(chainStart, turn),
      hashOf(chainStart, turnOf(['ab', ''])),
      hashOf(chainStart, turnOf(['a', 'b', 'c'])),
      hashOf(chainStart, turnOf(['a', 'b'], 1)),
      hashOf(chainStart, { ...turn, epoch: 2 }),
      hashOf(chainStart, { ...turn, to: 5 }),
      hashOf(hashOf(chainStart, turn), turn),
    ].map((hash) => Buffer.from(hash).toString('hex'))
    assert.equal(new Set(hashes).size, hashes.length)
  })
})
