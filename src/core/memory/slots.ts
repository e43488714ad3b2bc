// Objects that are addressed by small integers, their handles. A freed handle is used again.

import { assert } from '../assert.ts'
import type { Brand } from '../brand.ts'

export type Handle<Kind extends string> = Brand<`${Kind} handle`>

export type OperatorHandle = Handle<'operator'>
export type PlayerHandle = Handle<'player'>
export type MarketHandle = Handle<'market'>
export type BookHandle = Handle<'book'>
export type DeadManHandle = Handle<'deadMan'>
/** Twice the handle of its book, and one more for the asks. */
export type SideHandle = Handle<'side'>

export class Slots<Item, Kind extends string> {
  private readonly items: (Item | undefined)[] = []
  private readonly free: Handle<Kind>[] = []

  /** Makes an item under the next free handle. */
  add(make: (handle: Handle<Kind>) => Item): Item {
    const handle = this.free.pop() ?? (this.items.length as Handle<Kind>)
    const item = make(handle)
    this.items[handle] = item
    return item
  }

  at(handle: Handle<Kind>): Item {
    return this.items[handle]!
  }

  remove(handle: Handle<Kind>): void {
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
