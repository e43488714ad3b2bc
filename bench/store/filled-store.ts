// Data folders that are filled before a measurement, each by a separate process.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { LoadMarket } from '../http/load-target.ts'
import { onExit } from '../support/clean-up.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

export type Filling = {
  readonly markets: number
  readonly players: number
  /** Players in each market that have shares to sell. */
  readonly holdersPerMarket: number
  /** Rounded up to an even number: each BUY comes with a SELL. */
  readonly orders: number
  /** Whether all orders rest; otherwise each BUY matches its SELL. */
  readonly isResting: boolean
}

export type FilledStore = {
  readonly folder: string
  /** The API key of the operator that owns all records. */
  readonly apiKey: string
  readonly markets: readonly LoadMarket[]
  /** Empty if there are no orders. */
  readonly middleOrderId: string
  /** The sequence of its last event. */
  readonly lastSequence: number
}

/** Orders spread evenly over a hundred markets and a hundred players. */
export function trading(orders: number, { isResting = false } = {}): Filling {
  return { markets: 100, players: 100, holdersPerMarket: 10, orders, isResting }
}

const project = join(import.meta.dirname, '../..')
const folders = new Map<string, TemporaryFolder>()

/**
 * The caller removes it; otherwise the end of this process does. With the root of another commit,
 * that commit fills it, with its own version of fill-store.ts.
 */
export async function fillStore(wanted: Filling, root = project): Promise<FilledStore> {
  const temporary = temporaryFolder()
  const folder = temporary.path
  folders.set(folder, temporary)
  const script = `${root}/bench/store/fill-store.ts`
  const child = spawn(process.execPath, [script, folder, JSON.stringify(wanted)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const cancelKill = onExit(() => child.kill('SIGKILL'))
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  cancelKill()
  if (code !== 0) {
    removeStore({ folder })
    throw new Error('The store could not be filled.')
  }
  return { folder, ...JSON.parse(printed) }
}

export function removeStore({ folder }: Pick<FilledStore, 'folder'>): void {
  folders.get(folder)?.remove()
  folders.delete(folder)
}
