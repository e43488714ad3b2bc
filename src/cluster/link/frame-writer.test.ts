// Which messages share a frame, and what happens to turns that a slow receiver does not read.

import { deepEqual, equal } from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { FrameWriter, turnBytesMax } from './frame-writer.ts'
import type { Message, TurnMessage } from './messages.ts'

type Frame = { readonly messages: readonly Message[]; readonly written: () => void }

function writerTo(frames: Frame[]): FrameWriter {
  return new FrameWriter({
    write: (frame, written) => frames.push({ messages: JSON.parse(frame.toString()), written }),
  })
}

function namesOf({ messages }: Frame): readonly string[] {
  return messages.map(([name]) => name)
}

function turnOf(bytes: number): TurnMessage {
  return { shard: 0, records: 'r'.repeat(bytes), trades: [] }
}

const tokens = (value: unknown): Message => ['tokens', value]

suite('frames', () => {
  test('messages of one turn of the event loop share a frame, in their order', async () => {
    const frames: Frame[] = []
    const writer = writerTo(frames)
    writer.send(tokens(1))
    writer.send(tokens(2))
    equal(frames.length, 0)
    await setImmediate()
    writer.send(tokens(3))
    await setImmediate()
    deepEqual(
      frames.map(({ messages }) => messages),
      [[tokens(1), tokens(2)], [tokens(3)]],
    )
  })

  test('a frame ends at 256 messages, or at 256 KiB', () => {
    const frames: Frame[] = []
    const writer = writerTo(frames)
    for (let count = 0; count < 256; count++) writer.send(tokens(count))
    equal(frames.length, 1)
    writer.send(tokens('x'.repeat(256 * 1024)))
    equal(frames.length, 2)
  })

  test('results do not wait for turns that a receiver does not read', async () => {
    const frames: Frame[] = []
    const writer = writerTo(frames)
    for (let count = 0; count < 4; count++) writer.sendTurn(turnOf(200_000))
    await setImmediate()
    writer.send(tokens('result'))
    await setImmediate()
    deepEqual(frames.map(namesOf), [['turn', 'turn'], ['tokens']])
    frames[0]!.written()
    await setImmediate()
    deepEqual(frames.map(namesOf), [['turn', 'turn'], ['tokens'], ['turn', 'turn']])
  })

  test('a receiver 8 MiB behind loses the turns that wait and receives a resync', async () => {
    const frames: Frame[] = []
    const writer = writerTo(frames)
    writer.sendTurn(turnOf(turnBytesMax / 2))
    await setImmediate()
    writer.sendTurn(turnOf(turnBytesMax / 4))
    writer.sendTurn(turnOf(turnBytesMax / 2))
    writer.sendTurn(turnOf(1))
    await setImmediate()
    deepEqual(frames.map(namesOf), [['turn']])
    frames[0]!.written()
    await setImmediate()
    deepEqual(frames.map(namesOf), [['turn'], ['resync']])
    frames[1]!.written()
    writer.sendTurn(turnOf(turnBytesMax / 2))
    await setImmediate()
    deepEqual(frames.map(namesOf), [['turn'], ['resync'], ['turn']])
  })

  test('what was not flushed is not written after the close', async () => {
    const frames: Frame[] = []
    const writer = writerTo(frames)
    writer.send(tokens(1))
    writer.sendTurn(turnOf(1))
    writer.close()
    writer.send(tokens(2))
    await setImmediate()
    deepEqual(frames, [])
  })
})
