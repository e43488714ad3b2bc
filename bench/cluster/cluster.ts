// The costs of a cluster, each as a ratio within one run: of routing, of shards, of subscribers at
// other nodes, and of front ends.

import { PostgresMissing } from '../../test/support/store/postgres.ts'
import { measureFrontEnds } from './front-ends.ts'
import {
  CannotMeasure,
  type ClusterOptions,
  type Log,
  type Measurement,
  type MeasurementName,
} from './measurement.ts'
import { measureRoutes } from './routes.ts'
import { measureShards } from './shards.ts'
import { measureSubscribers } from './subscribers.ts'

export type ClusterResult = {
  readonly options: ClusterOptions
  readonly measurements: readonly Measurement[]
  /** Why something was not measured. */
  readonly missing: readonly string[]
}

export const defaultCluster: ClusterOptions = { rounds: 5, warmUpMs: 1_000, measureMs: 3_000 }

type Measure = (options: ClusterOptions, log: Log) => Promise<Measurement>

const measures: Readonly<Record<MeasurementName, Measure>> = {
  routes: measureRoutes,
  shards: measureShards,
  subscribers: measureSubscribers,
  'front-ends': measureFrontEnds,
}

export async function benchCluster(
  names: readonly MeasurementName[],
  options: ClusterOptions,
  log: Log,
): Promise<ClusterResult> {
  const measurements: Measurement[] = []
  const missing: string[] = []
  for (const name of names) {
    try {
      measurements.push(await measures[name](options, log))
    } catch (fault) {
      if (!(fault instanceof PostgresMissing || fault instanceof CannotMeasure)) throw fault
      missing.push(`${name}: ${fault.message}`)
    }
  }
  return { options, measurements, missing }
}
