// How a view of a book moves from the answer of a query to the changes after it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Piece } from '../../feed/outbox.ts'
import { joined } from '../../feed/topic.ts'
import { OutcomeView } from './outcome-view.ts'

/** The frame of a change is its version. */
function piece(number: number): Piece {
  return { number, frame: Buffer.from(`${number} `) }
}

class Reader {
  readonly isOpen = true
  isSlow = false
  text = ''
  #wake: () => void = () => undefined

  send(frame: Buffer): void {
    this.text += frame.toString()
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  catchUp(): void {
    this.isSlow = false
    this.#wake()
  }
}

function viewed({ isGapless = true } = {}) {
  const sendBuffer = new Reader()
  const queries: ((answer: Piece) => void)[] = []
  const reported: string[] = []
  const query = () => new Promise<Piece>((resolve) => queries.push(resolve))
  const reportFailure = (_edge: string, event: string) => {
    reported.push(event)
  }
  const view = new OutcomeView({ sendBuffer, query, isGapless, reportFailure })
  view.start()
  const publish = (...numbers: number[]) => {
    const pieces = numbers.map(piece)
    view.receive({ pieces, whole: joined(pieces) })
  }
  const answer = async (version: number) => {
    queries.shift()!({ number: version, frame: Buffer.from(`[${version}] `) })
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { sendBuffer, queries, reported, view, publish, answer }
}

test('changes published before the answer follow it, unless it contains them', async () => {
  const { sendBuffer, publish, answer } = viewed()
  publish(1, 2)
  publish(3)
  publish(4, 5)
  await answer(3)
  publish(6)
  assert.equal(sendBuffer.text, '[3] 4 5 6 ')
})

test('a missing change makes the view query the whole state again', async () => {
  const { sendBuffer, publish, answer } = viewed()
  await answer(1)
  publish(2)
  publish(4)
  publish(5)
  await answer(4)
  assert.equal(sendBuffer.text, '[1] 2 [4] 5 ')
})

test('a gap after the answer makes the view query the whole state again', async () => {
  const { sendBuffer, publish, answer } = viewed()
  publish(4)
  await answer(2)
  await answer(4)
  publish(5)
  assert.equal(sendBuffer.text, '[2] [4] 5 ')
})

test('a slow client gets the whole state once it has read what was sent', async () => {
  const { sendBuffer, queries, view, publish, answer } = viewed()
  await answer(1)
  sendBuffer.isSlow = true
  publish(2)
  publish(3)
  assert.equal(view.published, 3)
  assert.equal(queries.length, 0)
  sendBuffer.catchUp()
  await new Promise((resolve) => setImmediate(resolve))
  publish(4)
  await answer(3)
  assert.equal(sendBuffer.text, '[1] [3] 4 ')
})

test('a state that cannot be sent is reported, and sent again later', async () => {
  const { sendBuffer, queries, reported, publish, answer } = viewed()
  sendBuffer.send = () => {
    throw new RangeError('Invalid string length')
  }
  await answer(1)
  assert.deepEqual(reported, ['sending the state of an outcome failed'])
  sendBuffer.send = Reader.prototype.send
  publish(2)
  while (queries.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await answer(2)
  assert.equal(sendBuffer.text, '[2] ')
})

test('versions of prices may skip numbers', async () => {
  const { sendBuffer, publish, answer } = viewed({ isGapless: false })
  publish(3)
  await answer(1)
  publish(9)
  assert.equal(sendBuffer.text, '[1] 3 9 ')
})

test('a closed view sends nothing', async () => {
  const { sendBuffer, view, publish, answer } = viewed()
  view.close()
  publish(1)
  await answer(1)
  assert.equal(sendBuffer.text, '')
})

test('a change that arrives after the answer that contains it is not sent', async () => {
  const { sendBuffer, queries, publish, answer } = viewed()
  await answer(3)
  publish(2, 3)
  publish(3, 4)
  assert.equal(sendBuffer.text, '[3] 4 ')
  assert.equal(queries.length, 0)
})

test('where changes may have been missed, the whole state is queried again', async () => {
  const { sendBuffer, queries, view, publish, answer } = viewed()
  await answer(1)
  view.resync()
  view.resync()
  await answer(4)
  assert.equal(queries.length, 1, 'the answer may be from before the second time')
  await answer(5)
  publish(6)
  assert.equal(queries.length, 0)
  assert.equal(sendBuffer.text, '[1] [4] [5] 6 ')
})
