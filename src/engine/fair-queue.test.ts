// The order of service: owners share by cost, whatever they have waiting.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue } from './fair-queue.ts'

type Item = { readonly owner: string; readonly cost: number }

class Served {
  readonly queue = new FairQueue<Item>()
  readonly owners: string[] = []

  add(owner: string, count: number, cost = 1): void {
    for (let at = 0; at < count; at += 1) this.queue.add(owner, { owner, cost })
  }

  /** Serves items until that much is spent; returns what each owner got. */
  serve(costMax: number): Record<string, number> {
    const spent: Record<string, number> = {}
    for (let total = 0; total < costMax; ) {
      const item = this.queue.next()
      if (item === undefined) break
      this.queue.charge(item.owner, item.cost)
      this.owners.push(item.owner)
      spent[item.owner] = (spent[item.owner] ?? 0) + item.cost
      total += item.cost
    }
    return spent
  }
}

test('an owner with one item is served in the first round, however many others have', () => {
  const served = new Served()
  served.add('flood', 5_000)
  served.add('small', 1)
  served.serve(100)
  const at = served.owners.indexOf('small')
  assert.ok(at >= 0 && at <= 16, `served as number ${at}`)
})

test('owners get equal shares by cost, not by number', () => {
  const served = new Served()
  served.add('mints', 100, 256)
  served.add('orders', 20_000)
  const { mints = 0, orders = 0 } = served.serve(10_000)
  assert.ok(Math.abs(mints - orders) <= 256 + 16, `mints ${mints}, orders ${orders}`)
})

test('three owners get a third each, and the items of each keep their order', () => {
  const queue = new FairQueue<{ owner: string; number: number }>()
  for (const owner of ['a', 'b', 'c']) {
    for (let number = 0; number < 1_000; number += 1) queue.add(owner, { owner, number })
  }
  const numbers: Record<string, number[]> = { a: [], b: [], c: [] }
  for (let served = 0; served < 900; served += 1) {
    const { owner, number } = queue.next()!
    queue.charge(owner, 1)
    numbers[owner]!.push(number)
  }
  for (const own of Object.values(numbers)) {
    assert.ok(own.length >= 284 && own.length <= 316, `${own.length} of 900`)
    assert.deepEqual(
      own,
      own.map((_, at) => at),
    )
  }
})

test('a debt is paid off before the owner is served again, also if its line was empty', () => {
  const served = new Served()
  served.add('orders', 5_000)
  served.add('large', 1, 1_000)
  served.serve(1_100)
  served.add('large', 1)
  const before = served.owners.length
  served.serve(2_000)
  const waited = served.owners.indexOf('large', before) - before
  assert.ok(waited >= 800 && waited <= 1_016, `${waited} others were served before it`)
})

test('an owner alone is served at once, and its debt is at most that of two turns', () => {
  const served = new Served()
  served.add('alone', 10, 1_000)
  assert.deepEqual(served.serve(5_000), { alone: 5_000 })
  served.add('new', 2_000)
  served.owners.length = 0
  served.serve(2_000)
  const waited = served.owners.indexOf('alone')
  assert.ok(waited >= 496 && waited <= 528, `${waited} others were served before it`)
})

test('an owner is known to be expensive after an item that cost more than a turn', () => {
  const served = new Served()
  served.add('large', 3, 1_000)
  assert.equal(served.queue.hasOnlyExpensive, false, 'what it costs is not known yet')
  served.serve(1_000)
  assert.equal(served.queue.hasOnlyExpensive, true)
  served.add('small', 1)
  assert.equal(served.queue.hasOnlyExpensive, false, 'another owner waits')
  served.serve(1)
  assert.deepEqual(served.owners, ['large', 'small'])
  assert.equal(served.queue.hasOnlyExpensive, true)
})

test('a debt ends when the queue is empty', () => {
  const served = new Served()
  served.add('large', 1, 100_000)
  served.add('small', 1)
  served.serve(200_000)
  assert.equal(served.queue.next(), undefined)
  served.add('large', 1)
  served.add('small', 1_000)
  served.owners.length = 0
  served.serve(100)
  assert.ok(served.owners.indexOf('large') >= 0)
})

test('urgent items go before the others of their owner', () => {
  const queue = new FairQueue<string>()
  queue.add('a', 'second')
  queue.add('a', 'first', true)
  queue.putFirst('a', 'before second')
  assert.deepEqual([queue.length, queue.waitingOwners], [3, 1])
  assert.deepEqual([queue.next(), queue.next(), queue.next()], ['first', 'before second', 'second'])
  assert.deepEqual([queue.length, queue.waitingOwners], [0, 0])
})

test('clear() returns every item and leaves an empty queue', () => {
  const served = new Served()
  served.add('a', 3)
  served.add('b', 2, 50)
  served.serve(1)
  assert.equal(served.queue.clear().length, 4)
  assert.deepEqual([served.queue.length, served.queue.waitingOwners], [0, 0])
  assert.equal(served.queue.next(), undefined)
  assert.equal(served.queue.line('a'), undefined)
})
