// The answers to requests with an Idempotency-Key. A request is noted before it is carried out, so
// that another one with its key waits for it or, after a crash, continues it.

export interface KeptAnswerStore {
  /** Notes the request, unless one with its key is known. Durable when it resolves. */
  begin(request: KeptRequest): Promise<KeptState>
  /** Until when another process takes the request for alive; 0 if its outcome is unknown. */
  renew(attempt: KeptAttempt, busyUntil: number): Promise<void>
  /** Keeps the answer, which is durable when it resolves. */
  finish(attempt: KeptAttempt, answer: KeptAnswer): Promise<void>
  /** Nothing was carried out: the key is free again. */
  drop(attempt: KeptAttempt): Promise<void>
  /** The data of the answers that were begun since then, at most 1,000 of the latest. */
  answersSince(requests: KeptSince): Promise<readonly string[]>
  /** Deletes the oldest that are older than this time, at most so many. */
  prune(before: number, atMost: number): Promise<{ readonly hasMore: boolean }>
}

export type KeptKey = {
  /** The id of an operator, or another name for a caller that is none. */
  readonly owner: string
  /** The method and the path, with its ids. */
  readonly route: string
  readonly key: string
}

export type KeptAttempt = KeptKey & {
  /** Identifies one try to carry the request out. */
  readonly attempt: string
}

export type KeptRequest = KeptAttempt & {
  /** Two requests with the same key must agree in it. */
  readonly fingerprint: string
  /** For the record that the request creates: the first attempt's is kept. */
  readonly recordId: string
  /** The process that carries it out. */
  readonly holder: string
  /** There is no other process: an attempt of another holder has ended. */
  readonly isOnlyHolder: boolean
  readonly busyUntil: number
  /** Unix milliseconds. */
  readonly now: number
  /** Earlier requests are forgotten. */
  readonly keptFrom: number
  /** Of one owner. */
  readonly answersMax: number
  readonly bytesMax: number
}

/** The requests of an owner on a route. */
export type KeptSince = Omit<KeptKey, 'key'> & { readonly since: number }

export type KeptAnswer = {
  readonly status: number
  /** JSON. */
  readonly data: string
}

export type KeptState =
  /** Carry it out. An earlier attempt may have done so, if it is not the first. */
  | {
      readonly kind: 'BEGUN'
      readonly recordId: string
      readonly isFirst: boolean
      /** When the first attempt began. */
      readonly begunAt: number
    }
  /** Another attempt is under way. */
  | { readonly kind: 'BUSY' }
  | ({ readonly kind: 'DONE' } & KeptAnswer)
  /** The key was used for a request with another body. */
  | { readonly kind: 'REUSED' }
  /** The owner has as many answers or bytes as it may. */
  | { readonly kind: 'FULL' }
