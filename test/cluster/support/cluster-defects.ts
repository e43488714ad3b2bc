// Defects of a node that are planted on purpose: each must make a test of the cluster fail.

export type ClusterDefect =
  | 'repeats writes without a transactionId'
  | 'releases before it drains'
  | 'answers registry writes at once'

type SourceChange = { readonly file: string; readonly from: string; readonly to: string }

export const sourceChanges: Readonly<Record<ClusterDefect, SourceChange>> = {
  'repeats writes without a transactionId': {
    file: 'src/cluster/repeatable.ts',
    from: `return 'transactionId' in command && command.transactionId !== null`,
    to: 'return true',
  },
  'releases before it drains': {
    file: 'src/cluster/owned-shards.ts',
    from: `this.#running.delete(shard)
      const ends`,
    // For a moment it goes on to accept commands that it can no longer commit.
    to: `await this.#storeOf(shard).release(successor)
      await new Promise((resolve) => setTimeout(resolve, 200))
      this.#running.delete(shard)
      const ends`,
  },
  'answers registry writes at once': {
    file: 'src/cluster/membership.ts',
    from: 'return this.#barrier.wait(version)',
    to: 'return Promise.resolve(void version)',
  },
}
