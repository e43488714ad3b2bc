// Revokes a key under load at every node, while one node is frozen. No request that begins after
// the revocation was answered may succeed, also not at the frozen node when it wakes.

import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../../support/process/outcry-process.ts'
import type { Cluster } from '../support/cluster.ts'

const clientsPerNode = 2
const beforeMs = 300
const afterMs = 500

export type Revocation = {
  /** Until the revocation was answered. */
  readonly tookMs: number
  /** Requests that were answered with success. */
  readonly succeeded: number
  readonly violations: readonly string[]
}

type Sent = { readonly at: number; readonly node: Service; readonly status: number }

export async function revokeKey(
  { live }: Cluster,
  { id, frozen }: { readonly id: string; readonly frozen: Service | null },
): Promise<Revocation> {
  const nodes = [...live.all]
  const at = nodes.find((node) => node !== frozen)!
  const keys = `/api/v1/admin/operators/${id}/keys`
  const made = (await at.admin('POST', keys, { scopes: ['read', 'trade'] })).body.data
  const sent: Sent[] = []
  let isOver = false
  const send = async (node: Service) => {
    const startedAt = performance.now()
    const { status } = await node
      .request('GET', '/api/v1/orders?limit=1', { key: made.apiKey })
      .catch(() => ({ status: 0 }))
    sent.push({ at: startedAt, node, status })
  }
  const client = async (node: Service) => {
    while (!isOver) {
      await send(node)
      await delay(5)
    }
  }
  const clients = nodes.flatMap((node) =>
    Array.from({ length: clientsPerNode }, () => client(node)),
  )
  await delay(beforeMs)
  frozen?.process.kill('SIGSTOP')
  const startedAt = performance.now()
  const { status } = await at.admin('DELETE', `${keys}/${made.key.id}`)
  const answeredAt = performance.now()
  const late = nodes.map((node) => send(node))
  frozen?.process.kill('SIGCONT')
  await delay(afterMs)
  isOver = true
  await Promise.all([...clients, ...late])
  const violations = status === 200 || status === 204 ? [] : [`the revocation had ${status}`]
  const wrong = sent.filter((one) => one.at > answeredAt && one.status < 400 && one.status > 0)
  for (const node of new Set(wrong.map((one) => one.node))) {
    const count = wrong.filter((one) => one.node === node).length
    const which = node === frozen ? 'the frozen node' : 'another node'
    violations.push(`${count} requests succeeded at ${which} after the revocation`)
  }
  const succeeded = sent.filter((one) => one.status === 200).length
  return { tookMs: answeredAt - startedAt, succeeded, violations }
}
