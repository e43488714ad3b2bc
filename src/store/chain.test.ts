// The chain of turns detects any change of a turn.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { chainHash, chainStart } from './chain.ts'
import { RowPacker } from './rows.ts'

function turnOf(texts: readonly string[], from = 0) {
  const packer = new RowPacker()
  for (const job of texts) packer.add('job', { marketSerial: 1, isDone: 0, job })
  return { epoch: 1, from, to: from + 1, rows: packer.packed }
}

suite('the chain of turns', () => {
  test('the same turns have the same hash, whatever the capacity of their arrays', () => {
    const turn = turnOf(['a', 'b'])
    const { numbers, length, texts } = turn.rows
    const moved = { ...turn, rows: { numbers: numbers.slice(0, length), length, texts } }
    assert.deepEqual(chainHash(chainStart, turn), chainHash(chainStart, moved))
    assert.equal(chainHash(chainStart, turn).length, 32)
  })

  test('another row, text, order, epoch or predecessor gives another hash', () => {
    const turn = turnOf(['a', 'b'])
    const hashes = [
      chainHash(chainStart, turn),
      chainHash(chainStart, turnOf(['ab', ''])),
      chainHash(chainStart, turnOf(['a', 'b', 'c'])),
      chainHash(chainStart, turnOf(['a', 'b'], 1)),
      chainHash(chainStart, { ...turn, epoch: 2 }),
      chainHash(chainStart, { ...turn, to: 5 }),
      chainHash(chainHash(chainStart, turn), turn),
    ].map((hash) => Buffer.from(hash).toString('hex'))
    assert.equal(new Set(hashes).size, hashes.length)
  })
})
