// What the calls work with; main.ts provides it.

import type { Rules } from '../../core/state/exchange.ts'
import type { Outbox } from '../../feed/outbox.ts'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import type { Admission } from '../admission/admission.ts'
import type { ClientAddresses } from '../admission/client-address.ts'
import type { Shards } from '../shards.ts'

export type GrpcContext = {
  readonly shards: Shards
  readonly admission: Admission
  readonly addresses: ClientAddresses
  readonly rules: Rules
  readonly outbox: Pick<Outbox, 'listen' | 'resyncs'>
  /** Whether commands can be committed. */
  readonly isReady: () => boolean
  readonly reportFailure: ReportFailure
  readonly metrics: {
    request(request: { method: string; route: string; status: number; seconds: number }): void
  }
}
