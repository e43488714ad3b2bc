// What an engine is doing, and what it answers to commands that it does not accept meanwhile.

import { NotOwner, Unavailable } from './commands.ts'

/**
 * While the store is unreachable, commands are refused: what is committed cannot be found out. A
 * shard that is released has another owner, or will have one.
 */
export type EngineState = 'running' | 'rebuilding' | 'unreachable' | 'failed' | 'released'

/** Whether it accepts commands never again. */
export function hasEnded(state: EngineState): boolean {
  return state === 'failed' || state === 'released'
}

/** Null where commands are accepted, if only to wait. */
export function refusalIn(state: EngineState): NotOwner | Unavailable | null {
  if (state === 'released') return new NotOwner()
  if (state === 'failed') return new Unavailable('The store has failed.')
  if (state === 'unreachable') return new Unavailable('The store cannot be reached.')
  return null
}
