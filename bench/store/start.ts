// How long does a start take, and how much memory does the service use then? From the start of its
// process until /ready answers 200, with very many open orders: after a stop, and after a kill,
// when the start checks the database first.

import { startService } from '../http/servers-under-test.ts'
import { fillStore, removeStore, trading } from './filled-store.ts'

export type StartOptions = {
  /** Open orders of the larger store; the smaller store has a tenth. */
  readonly openOrders: number
}

export type StartStep = {
  readonly openOrders: number
  readonly afterStopMs: number
  readonly afterKillMs: number
  /** Memory of the ready service after the stop; null if the system does not report it. */
  readonly residentMiB: number | null
}

export const defaultStart: StartOptions = { openOrders: 1_000_000 }

const readyWithinMs = 300_000
const askEveryMs = 10

export async function benchStart(
  { openOrders }: StartOptions,
  say: (text: string) => void,
): Promise<readonly StartStep[]> {
  const steps: StartStep[] = []
  for (const orders of [openOrders / 10, openOrders]) {
    const store = await fillStore(trading(orders, { isResting: true }))
    try {
      say(`Start, with ${orders} open orders ...`)
      const first = await startOnce(store, 'SIGKILL')
      const second = await startOnce(store, 'SIGTERM')
      const { ms: afterStopMs, residentMiB } = first
      steps.push({ openOrders: orders, afterStopMs, afterKillMs: second.ms, residentMiB })
    } finally {
      removeStore(store)
    }
  }
  return steps
}

/** Starts the service and ends it in the given way. */
async function startOnce(
  store: { readonly folder: string; readonly apiKey: string },
  end: 'SIGKILL' | 'SIGTERM',
): Promise<{ readonly ms: number; readonly residentMiB: number | null }> {
  const startedAt = performance.now()
  const service = await startService('src/main.ts', { rounds: 1, store })
  try {
    const base = `http://127.0.0.1:${service.port}`
    while (!(await fetch(`${base}/ready`)).ok) {
      if (performance.now() - startedAt > readyWithinMs) throw new Error('It is never ready.')
      await new Promise((resolve) => setTimeout(resolve, askEveryMs))
    }
    const ms = performance.now() - startedAt
    return { ms, residentMiB: await residentMiBOf(base) }
  } finally {
    service.signal(end)
    await service.stop()
  }
}

async function residentMiBOf(base: string): Promise<number | null> {
  const metrics = await (await fetch(`${base}/metrics`)).text()
  const bytes = /^\w*process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]
  return bytes === undefined ? null : Number(bytes) / 2 ** 20
}
