// Prints which node owns which shards, whenever that changes.

import type { NodeProcess } from './node-process.ts'

const everyMs = 500
const answerMsMax = 1_000

export type WatchOptions = {
  readonly nodes: readonly NodeProcess[]
  readonly adminKey: string
  readonly print: (line: string) => void
}

type ClusterView = {
  readonly nodes: readonly { readonly id: string; readonly address: string | null }[]
  readonly shards: readonly { readonly shard: number; readonly nodeId: string | null }[]
}

export class Watch {
  readonly #options: WatchOptions
  readonly #timer: NodeJS.Timeout
  #shown = ''

  constructor(options: WatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#update(), everyMs)
    for (const { name, ended } of options.nodes) {
      void ended.then(() => options.print(`${clock()}  ${name} has ended`))
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #update(): Promise<void> {
    const view = await this.#view()
    if (view === null) return
    const line = this.#lineOf(view)
    if (line === this.#shown) return
    this.#shown = line
    this.#options.print(`${clock()}  ${line}`)
  }

  /** From the first node that answers. */
  async #view(): Promise<ClusterView | null> {
    const { adminKey, nodes } = this.#options
    for (const { hasEnded, url } of nodes) {
      if (hasEnded) continue
      try {
        const answer = await fetch(`${url}/api/v1/admin/cluster`, {
          headers: { 'x-admin-key': adminKey },
          signal: AbortSignal.timeout(answerMsMax),
        })
        const { data } = (await answer.json()) as { data?: ClusterView }
        if (data !== undefined) return data
      } catch {
        // The next node is asked.
      }
    }
    return null
  }

  #lineOf({ nodes, shards }: ClusterView): string {
    const names = new Map(nodes.map(({ id, address }) => [id, this.#nameOf(address) ?? id]))
    const owners = new Map<string, number[]>(this.#options.nodes.map(({ name }) => [name, []]))
    for (const { nodeId, shard } of shards) {
      const name = nodeId === null ? 'no owner' : (names.get(nodeId) ?? nodeId)
      owners.set(name, [...(owners.get(name) ?? []), shard])
    }
    const parts = [...owners].map(([name, owned]) => `${name}: ${owned.join(' ') || '-'}`)
    return `shards of   ${parts.join('   ')}`
  }

  #nameOf(address: string | null): string | undefined {
    return this.#options.nodes.find((node) => node.address === address)?.name
  }
}

function clock(): string {
  return new Date().toISOString().slice(11, 19)
}
