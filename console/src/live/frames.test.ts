// Frames that the test decides.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Frames } from './frames.ts'

function started() {
  const requested: (() => void)[] = []
  const frames = new Frames((onFrame) => {
    requested.push(onFrame)
    return () => requested.splice(0)
  })
  return { frames, requested, nextFrame: () => requested[0]?.() }
}

test('items of a frame are passed on together, and those of several feeds in one frame', () => {
  const { frames, requested, nextFrame } = started()
  const seen: string[] = []
  const letters = frames.gather<string>((items) => seen.push(items.join('')))
  const numbers = frames.gather<number>((items) => seen.push(items.join('')))
  letters.add('a')
  numbers.add(1)
  letters.add('b')
  assert.deepEqual([seen.length, requested.length], [0, 1])
  nextFrame()
  assert.deepEqual(seen, ['ab', '1'])
  letters.add('c')
  letters.end()
  nextFrame()
  assert.deepEqual(seen, ['ab', '1'])
})

test('what is asked for twice is called once, and its other request is taken back', () => {
  const { frames, requested, nextFrame } = started()
  let calls = 0
  const flush = () => {
    calls += 1
  }
  frames.next(flush)
  frames.next(flush)
  nextFrame()
  assert.deepEqual([calls, requested.length], [1, 0])
})

test('very many items are passed on before the frame, and none is lost', () => {
  const { frames, nextFrame } = started()
  const sizes: number[] = []
  const feed = frames.gather<number>((items) => sizes.push(items.length))
  for (let count = 0; count < 2_500; count += 1) feed.add(count)
  assert.deepEqual(sizes, [1_000, 1_000])
  nextFrame()
  assert.deepEqual(sizes, [1_000, 1_000, 500])
})
