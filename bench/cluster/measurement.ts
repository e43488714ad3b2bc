// The form of the results of the cluster bench: tables of figures, and ratios with their goals.

export const measurementNames = ['routes', 'shards', 'subscribers', 'front-ends'] as const
export type MeasurementName = (typeof measurementNames)[number]

export type Measurement = {
  readonly name: MeasurementName
  readonly title: string
  /** What is measured, in lines of the report. */
  readonly about: readonly string[]
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly ratios: readonly Ratio[]
}

export type Ratio = {
  readonly what: string
  readonly value: number
  readonly goal: { readonly atLeast: number } | { readonly atMost: number }
  /** Left out for a ratio. */
  readonly unit?: 'ms'
}

export type ClusterOptions = {
  readonly rounds: number
  readonly warmUpMs: number
  readonly measureMs: number
}

export type Log = (text: string) => void

/** The system cannot show it, or this version cannot do it. */
export class CannotMeasure extends Error {
  override readonly name = 'CannotMeasure'
}
