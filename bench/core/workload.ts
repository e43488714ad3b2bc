// The operations of a comparison of matchers, as arrays of numbers.

export const LIMIT = 0
export const CANCEL = 1
export const MARKET = 2

export type WorkloadShape = {
  readonly seed: number
  readonly books: number
  readonly prefill: number
  readonly operations: number
  /** Whether orders also match by complete sets; the peer has no such feature. */
  readonly hasCompleteSetMatching: boolean
}

/** One array for each field; operation i is at index i in each. */
export type Workload = WorkloadShape & {
  readonly kind: Uint8Array
  readonly book: Int32Array
  readonly player: Int32Array
  readonly isSell: Uint8Array
  /** In hundredths. */
  readonly shares: Int32Array
  /** In ticks. */
  readonly price: Int32Array
  /** Of a cancel: the operation that placed the order. */
  readonly target: Int32Array
  /** Of the order that it places, as Outcry numbers them. */
  readonly serial: Float64Array
  /** The prefill comes first and is not timed. */
  readonly length: number
}

export const playersPerBook = 64
