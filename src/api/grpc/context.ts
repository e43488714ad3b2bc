// What the calls work with; main.ts provides it.

import type { Ids } from '../../core/ids.ts'
import type { Rules } from '../../core/state/exchange.ts'
import type { Submit } from '../../engine/commands.ts'
import type { Outbox } from '../../feed/outbox.ts'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import type { ReadsFor } from '../../store/store.ts'
import type { Admission } from '../admission/admission.ts'

export type GrpcContext = {
  readonly submit: Submit
  readonly readsFor: ReadsFor
  readonly admission: Admission
  readonly ids: Ids
  readonly rules: Rules
  readonly outbox: Pick<Outbox, 'listen'>
  /** Whether commands can be committed. */
  readonly isReady: () => boolean
  readonly reportFailure: ReportFailure
  readonly metrics: {
    request(request: { method: string; route: string; status: number; seconds: number }): void
  }
}
