// Kept answers on PostgreSQL. Every call may be repeated if its connection is lost.

import type { KeptAnswerStore } from '../kept-answer-store.ts'
import {
  beginKept,
  dropKept,
  finishKept,
  keptSince,
  pruneKept,
  renewKept,
} from '../sql/kept-answers.ts'
import type { Reading } from '../sql/reading.ts'

type Write = <Answer>(writing: () => Reading<Answer>) => Promise<Answer>

/** `write` runs a reading in a transaction of its own. */
export function keptAnswerStore(write: Write): KeptAnswerStore {
  return {
    begin: (request) => write(() => beginKept(request)),
    renew: (attempt, busyUntil) => write(() => renewKept(attempt, busyUntil)),
    finish: (attempt, answer) => write(() => finishKept(attempt, answer)),
    drop: (attempt) => write(() => dropKept(attempt)),
    answersSince: (requests) => write(() => keptSince(requests)),
    prune: (before, atMost) => write(() => pruneKept(before, atMost)),
  }
}
