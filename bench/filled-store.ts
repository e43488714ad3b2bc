// Data folders that are full before anything is measured, each made by a process of its own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { MarketPlace } from './order-requests.ts'

export type Filling = {
  readonly markets: number
  readonly players: number
  /** Players of each market who can sell there. */
  readonly holdersPerMarket: number
  /** One more where it is odd: each BUY comes with a SELL. */
  readonly orders: number
  /** All orders wait in their books; otherwise each BUY has met its SELL. */
  readonly isResting: boolean
}

export type FilledStore = {
  readonly folder: string
  /** Of the operator that all of it belongs to. */
  readonly apiKey: string
  readonly markets: readonly MarketPlace[]
  /** Empty where there are no orders. */
  readonly middleOrderId: string
  /** Of its events. */
  readonly lastSequence: number
}

/** Orders spread evenly over a hundred markets and a hundred players. */
export function trading(orders: number, { isResting = false } = {}): Filling {
  return { markets: 100, players: 100, holdersPerMarket: 10, orders, isResting }
}

/** The caller removes it. */
export async function fillStore(filling: Filling): Promise<FilledStore> {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-bench-'))
  const script = `${import.meta.dirname}/fill-store.ts`
  const child = spawn(process.execPath, [script, folder, JSON.stringify(filling)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) {
    removeStore({ folder })
    throw new Error('The store could not be filled.')
  }
  return { folder, ...JSON.parse(printed) }
}

export function removeStore({ folder }: Pick<FilledStore, 'folder'>): void {
  rmSync(folder, { recursive: true, force: true })
}
