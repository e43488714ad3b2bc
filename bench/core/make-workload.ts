// Draws the operations that every matcher in the comparison is given: 60 % LIMIT orders, 30 %
// cancels of orders that are open then, 10 % MARKET orders, after a prefill of LIMIT orders that
// rest. Bids are between 0.400 and 0.534, asks between 0.466 and 0.600, every 0.001: about every
// sixth LIMIT order crosses, so that the books stay as full as the prefill made them.

import { Random } from '../../test/support/process/random.ts'
import { OutcryRunner } from './outcry-runner.ts'
import {
  CANCEL,
  LIMIT,
  MARKET,
  playersPerBook,
  type Workload,
  type WorkloadShape,
} from './workload.ts'

export function makeWorkload(shape: WorkloadShape): Workload {
  const length = shape.prefill + shape.operations
  const workload: Workload = {
    ...shape,
    length,
    kind: new Uint8Array(length),
    book: new Int32Array(length),
    player: new Int32Array(length),
    isSell: new Uint8Array(length),
    shares: new Int32Array(length),
    price: new Int32Array(length),
    target: new Int32Array(length),
    serial: new Float64Array(length),
  }
  const random = new Random(shape.seed)
  // A separate run shows which orders are open when a cancel is drawn.
  const runner = new OutcryRunner(workload)
  const open: number[] = []
  for (let at = 0; at < length; at += 1) {
    draw(workload, at, random, () => drawOpen(open, random, runner))
    // An order takes the next serial; its trades and positions take those behind it.
    workload.serial[at] = runner.exchange.lastSerial + 1
    runner.prepare(at, at + 1)
    runner.run()
    if (workload.kind[at] === LIMIT && runner.isOpen(at)) open.push(at)
  }
  return workload
}

function draw(workload: Workload, at: number, random: Random, drawTarget: () => number): void {
  const isPrefill = at < workload.prefill
  const dice = random.between(0, 99)
  const target = !isPrefill && dice >= 60 && dice < 90 ? drawTarget() : -1
  const isSell = random.between(0, 1) === 1
  // The prefill keeps clear of the middle, so that all of it rests.
  const reach = isPrefill ? 89 : 135
  const distance = random.between(0, reach - 1) * 10
  workload.kind[at] = target >= 0 ? CANCEL : isPrefill || dice < 90 ? LIMIT : MARKET
  workload.target[at] = target
  workload.book[at] = target >= 0 ? workload.book[target]! : random.between(0, workload.books - 1)
  workload.player[at] = random.between(0, playersPerBook - 1)
  workload.isSell[at] = isSell ? 1 : 0
  workload.shares[at] = random.between(1, 100) * 100
  workload.price[at] = isSell ? 6000 - distance : 4000 + distance
}

// One of the open orders, or -1; those that were closed meanwhile are dropped on the way.
function drawOpen(open: number[], random: Random, runner: OutcryRunner): number {
  while (open.length > 0) {
    const at = random.between(0, open.length - 1)
    const target = open[at]!
    open[at] = open[open.length - 1]!
    open.pop()
    if (runner.isOpen(target)) return target
  }
  return -1
}
