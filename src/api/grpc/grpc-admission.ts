// Who may call, and how often: the gate of REST, asked with the metadata of a call.

import type { Metadata } from '@grpc/grpc-js'
import type { OperatorRow } from '../../store/store.ts'
import { type Admission, type BucketName, tooMany } from '../admission/admission.ts'
import { Refusal } from '../errors.ts'
import type { Scope } from '../schemas/operator.ts'

export type Access = { readonly scope: Scope; readonly bucket: BucketName }

/** What every kind of call has. */
export type Caller = { readonly metadata: Metadata; getPeer(): string }

export class GrpcAdmission {
  readonly #admission: Admission

  constructor(admission: Admission) {
    this.#admission = admission
  }

  /** Whose key it is; may be asked again while a call is open. */
  callerOf(call: Caller, scope: Scope): OperatorRow | Refusal {
    const shown = call.metadata.get('x-api-key')
    const caller = this.#admission.operatorOf(shown.length > 1 ? null : shown[0], scope)
    if (!(caller instanceof Refusal) || caller.code !== 'UNAUTHORIZED') return caller
    return this.admitPublic(call) ?? caller
  }

  admit(call: Caller, { scope, bucket }: Access): OperatorRow | Refusal {
    const caller = this.callerOf(call, scope)
    return caller instanceof Refusal ? caller : (this.consume(bucket, caller.id) ?? caller)
  }

  admitPublic(call: Caller): Refusal | null {
    return this.consume('public', addressOf(call))
  }

  consume(bucket: BucketName | 'public', who: string): Refusal | null {
    return this.#admission.consume(bucket, who)?.isAllowed === false ? tooMany : null
  }
}

/** Without the port. */
export function addressOf(call: Caller): string {
  return call.getPeer().replace(/:\d+$/, '')
}
