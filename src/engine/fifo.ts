// A first-in, first-out list that can also be extended at its front. Removing the first item of a
// plain array moves all others, which takes long when thousands wait.

/** Removed items leave empty places at the front; they are cut off when there are this many. */
const emptyPlacesMax = 1_024

export class Fifo<Item> {
  #items: (Item | undefined)[] = []
  /** The place of the first item. */
  #start = 0

  get length(): number {
    return this.#items.length - this.#start
  }

  get first(): Item | undefined {
    return this.#items[this.#start]
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  /** Adds an item in front of all others. */
  putFirst(item: Item): void {
    if (this.#start === 0) {
      this.#items.unshift(item)
      return
    }
    this.#start -= 1
    this.#items[this.#start] = item
  }

  shift(): Item | undefined {
    if (this.length === 0) return undefined
    const item = this.#items[this.#start]
    this.#items[this.#start] = undefined
    this.#start += 1
    if (this.length === 0) {
      this.#items = []
      this.#start = 0
    } else if (this.#start >= emptyPlacesMax) {
      this.#items.splice(0, this.#start)
      this.#start = 0
    }
    return item
  }
}
