// Killing a service in the middle of work that takes many turns, and looking at where it got to.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type Json, Service } from '../../support/process/outcry-process.ts'
import { dying } from './service-options.ts'
import type { SceneMarket, Trader } from './trading-fixture.ts'

const finishMax = 20_000

export function ask(
  service: Service,
  { key }: Trader,
  { id }: SceneMarket,
  action: string,
  body?: Json,
) {
  return service.ask('POST', `/api/v1/markets/${id}/${action}`, { key, body: body ?? {} })
}

/** Whoever asks hears nothing: the process dies at that commit. */
export async function askAndDie(
  folder: string,
  commits: number,
  asking: (service: Service) => Promise<unknown>,
): Promise<void> {
  const service = await Service.start({ dataDir: folder, ...dying(commits) })
  const ended = once(service.process, 'exit')
  await assert.rejects(asking(service))
  await ended
  assert.equal(service.process.signalCode, 'SIGKILL')
}

/** It goes on by itself, and may die before it listens. */
export async function resumeAndDie(folder: string, commits: number): Promise<void> {
  const prepared = await Service.prepare({ dataDir: folder, ...dying(commits) })
  try {
    const service = await prepared.begin()
    if (!service.hasEnded) await once(service.process, 'exit')
  } catch (error) {
    assert.match(String(error), /ended while starting/)
  }
}

/** The state it comes to by itself. */
export async function endOf(
  service: Service,
  { key }: Trader,
  { id }: SceneMarket,
  waitMs = finishMax,
): Promise<string> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const { body } = await service.ask('GET', `/api/v1/markets/${id}`, { key })
    const isDone = (await openOrders(service, { key })) === 0 && body.data.status !== 'RESOLVED'
    if (isDone || performance.now() > deadline) return body.data.status
    await new Promise((wake) => setTimeout(wake, 50))
  }
}

export async function openOrders(
  service: Service,
  { key }: { readonly key: string },
): Promise<number> {
  const path = '/api/v1/orders?status=PENDING,PARTIAL&limit=1'
  const { body } = await service.ask('GET', path, { key })
  return body.data.total
}

export async function listed(service: Service, { key }: Trader, name: string): Promise<Json[]> {
  const { body } = await service.ask('GET', `/api/v1/${name}`, { key })
  return body.data
}
