// How a book on a connection gets from the answer to a question to the changes behind it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Piece } from '../../feed/outbox.ts'
import { joined } from '../../feed/topic.ts'
import { OutcomeView } from './outcome-view.ts'

/** Everything that is said is the version it is about. */
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
  const questions: ((answer: Piece) => void)[] = []
  const ask = () => new Promise<Piece>((resolve) => questions.push(resolve))
  const view = new OutcomeView({ sendBuffer, ask, isGapless })
  view.start()
  const publish = (...numbers: number[]) => {
    const pieces = numbers.map(piece)
    view.receive({ pieces, whole: joined(pieces) })
  }
  const answer = async (version: number) => {
    questions.shift()!({ number: version, frame: Buffer.from(`[${version}] `) })
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { sendBuffer, questions, view, publish, answer }
}

test('changes that come before the answer follow it, unless it has them', async () => {
  const { sendBuffer, publish, answer } = viewed()
  publish(1, 2)
  publish(3)
  publish(4, 5)
  await answer(3)
  publish(6)
  assert.equal(sendBuffer.text, '[3] 4 5 6 ')
})

test('a change that is missing makes it ask again', async () => {
  const { sendBuffer, publish, answer } = viewed()
  await answer(1)
  publish(2)
  publish(4)
  publish(5)
  await answer(4)
  assert.equal(sendBuffer.text, '[1] 2 [4] 5 ')
})

test('a gap behind the answer makes it ask again', async () => {
  const { sendBuffer, publish, answer } = viewed()
  publish(4)
  await answer(2)
  await answer(4)
  publish(5)
  assert.equal(sendBuffer.text, '[2] [4] 5 ')
})

test('who is slow gets the state as a whole once it has read', async () => {
  const { sendBuffer, questions, view, publish, answer } = viewed()
  await answer(1)
  sendBuffer.isSlow = true
  publish(2)
  publish(3)
  assert.equal(view.told, 3)
  assert.equal(questions.length, 0)
  sendBuffer.catchUp()
  await new Promise((resolve) => setImmediate(resolve))
  publish(4)
  await answer(3)
  assert.equal(sendBuffer.text, '[1] [3] 4 ')
})

test('prices need not follow each other by one', async () => {
  const { sendBuffer, publish, answer } = viewed({ isGapless: false })
  publish(3)
  await answer(1)
  publish(9)
  assert.equal(sendBuffer.text, '[1] 3 9 ')
})

test('nothing is said after it was closed', async () => {
  const { sendBuffer, view, publish, answer } = viewed()
  view.close()
  publish(1)
  await answer(1)
  assert.equal(sendBuffer.text, '')
})
