// Invariants. A failed assertion is a bug in this service, never an answer to a caller: the engine
// stops the shard and rebuilds it from the store.

export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new BrokenInvariant(message)
}
