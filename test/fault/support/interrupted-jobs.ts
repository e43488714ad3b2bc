// Kills a service during a job that takes many turns, and reads how far it got.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type Json, Service } from '../../support/process/outcry-process.ts'
import { killedAtCommitOptions } from './process-options.ts'
import type { FixtureMarket, Trader } from './trading-fixture.ts'

const finishMax = 60_000

export function marketAction(
  service: Service,
  { key }: Trader,
  { id }: FixtureMarket,
  action: string,
  body?: Json,
) {
  return service.request('POST', `/api/v1/markets/${id}/${action}`, { key, body: body ?? {} })
}

/** Sends requests whose answers never arrive: the process is killed at that commit. */
export async function killDuring(
  folder: string,
  commits: number,
  request: (service: Service) => Promise<unknown>,
): Promise<void> {
  const service = await Service.start({ dataDir: folder, ...killedAtCommitOptions(commits) })
  const ended = once(service.process, 'exit')
  await assert.rejects(request(service))
  await ended
  assert.equal(service.process.signalCode, 'SIGKILL')
}

/** The service continues the job when it starts, and may be killed before it listens. */
export async function killDuringResume(folder: string, commits: number): Promise<void> {
  const prepared = await Service.prepare({ dataDir: folder, ...killedAtCommitOptions(commits) })
  try {
    const service = await prepared.begin()
    if (!service.hasEnded) await once(service.process, 'exit')
  } catch (error) {
    assert.match(String(error), /ended while starting/)
  }
}

/** Waits until the job is done; returns the status of the market. */
export async function finalStatus(
  service: Service,
  { key }: Trader,
  { id }: FixtureMarket,
  waitMs = finishMax,
): Promise<string> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const { body } = await service.request('GET', `/api/v1/markets/${id}`, { key })
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
  const { body } = await service.request('GET', path, { key })
  return body.data.total
}

export async function listed(service: Service, { key }: Trader, name: string): Promise<Json[]> {
  const { body } = await service.request('GET', `/api/v1/${name}`, { key })
  return body.data
}
