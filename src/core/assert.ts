// What must never happen. A failed assertion is a bug of ours, never an answer to a caller:
// whoever runs the core stops the shard and rebuilds it from what is stored.

export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new BrokenInvariant(message)
}
