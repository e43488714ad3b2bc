// Objects that are addressed by small integers (handles). A freed handle is used again.

import { assert } from '../assert.ts'

export class Slots<Item> {
  private readonly items: (Item | undefined)[] = []
  private readonly free: number[] = []

  /** Makes an item under the next free handle. */
  add<Added extends Item>(make: (handle: number) => Added): Added {
    const handle = this.free.pop() ?? this.items.length
    const item = make(handle)
    this.items[handle] = item
    return item
  }

  at(handle: number): Item {
    return this.items[handle]!
  }

  remove(handle: number): void {
    assert(this.items[handle] !== undefined, 'only a handle in use is freed')
    this.items[handle] = undefined
    this.free.push(handle)
  }

  clear(): void {
    this.items.length = 0
    this.free.length = 0
  }

  get size(): number {
    return this.items.length - this.free.length
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (const item of this.items) if (item !== undefined) yield item
  }
}
