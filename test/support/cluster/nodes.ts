// A cluster of real processes on one machine.

import { newFolder, Service } from '../process/outcry-process.ts'

export const secretsKey = '0123456789abcdef'.repeat(4)

export type ClusterOptions = {
  readonly url: string
  readonly nodes?: number
  readonly shards?: number
  readonly env?: Readonly<Record<string, string>>
}

/** Starts one node; others find it by the database. */
export async function startNode(
  url: string,
  env: Readonly<Record<string, string>> = {},
  dataDir?: string,
): Promise<Service> {
  return Service.start({
    dataDir: dataDir ?? (await newFolder()),
    env: { ...nodeSettings(url), ...env },
  })
}

export function nodeSettings(url: string): Readonly<Record<string, string>> {
  return {
    HOST: '127.0.0.1',
    DATABASE_URL: url,
    CLUSTER: 'true',
    CLUSTER_PORT: '0',
    OUTCRY_SECRETS_KEY: secretsKey,
    DEMO_OPERATOR: 'false',
  }
}

export async function startCluster(options: ClusterOptions): Promise<Service[]> {
  const { nodes = 3, shards = 4, url } = options
  const env = { SHARDS: String(shards), ...options.env }
  const first = await startNode(url, env)
  const others = Array.from({ length: nodes - 1 }, () => startNode(url, env))
  return [first, ...(await Promise.all(others))]
}
