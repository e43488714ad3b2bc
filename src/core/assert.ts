// What must never happen. A failed assertion is a bug of ours, never an answer to a caller:
// whoever runs the core stops the shard and rebuilds it from what is stored.

export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
}

/** For the path of an order: V8 makes a truth value of a condition that is handed over. */
export function fail(message: string): never {
  throw new BrokenInvariant(message)
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new BrokenInvariant(message)
}
