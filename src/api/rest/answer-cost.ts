// What the length of an answer costs beyond the first unit of its request, in the unit of
// engine/cost.ts. Reading, presenting and encoding long texts occupies the main thread.

/** Most answers are shorter. */
const freeBytes = 64 * 1024
/** About 0.1 ms of work. */
const bytesPerUnit = 4 * 1024

export function costOfBytes(bytes: number): number {
  return Math.ceil(Math.max(0, bytes - freeBytes) / bytesPerUnit)
}
