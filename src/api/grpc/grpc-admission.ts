// Admission of gRPC calls, by the API key in their metadata and the address of the peer.

import type { Metadata } from '@grpc/grpc-js'
import type { Result } from '../../engine/commands.ts'
import { costOfResult } from '../../engine/cost.ts'
import type { OperatorRow } from '../../store/store.ts'
import { type Admission, type BucketName, tooMany } from '../admission/admission.ts'
import type { ClientAddresses } from '../admission/client-address.ts'
import { Refusal } from '../errors.ts'
import type { Scope } from '../schemas/operator.ts'

export type Access = { readonly scope: Scope; readonly bucket: BucketName }

/** The part that every kind of call has. */
export type IncomingCall = {
  readonly metadata: Metadata
  /** Whether the client has ended the call. */
  readonly cancelled: boolean
  getPeer(): string
}

export class GrpcAdmission {
  readonly #admission: Admission
  readonly #addresses: ClientAddresses

  constructor(admission: Admission, addresses: ClientAddresses) {
    this.#admission = admission
    this.#addresses = addresses
  }

  /** May be called again while a call is open, to notice a revoked key. */
  operatorOf(call: IncomingCall, scope: Scope): OperatorRow | Refusal {
    const keys = call.metadata.get('x-api-key')
    const operator = this.#admission.operatorOf(keys.length > 1 ? null : keys[0], scope)
    if (!(operator instanceof Refusal) || operator.code !== 'UNAUTHORIZED') return operator
    return this.admitPublic(call) ?? operator
  }

  admit(call: IncomingCall, { scope, bucket }: Access): OperatorRow | Refusal {
    const operator = this.operatorOf(call, scope)
    if (operator instanceof Refusal) return operator
    return this.consume(bucket, operator.id) ?? operator
  }

  admitPublic(call: IncomingCall): Refusal | null {
    return this.consume('public', this.addressOf(call))
  }

  consume(bucket: BucketName | 'public', who: string): Refusal | null {
    return this.#admission.consume(bucket, who)?.isAllowed === false ? tooMany : null
  }

  /** Counts what a command has cost beyond the first unit. */
  chargeAfter(bucket: BucketName, who: string, result: Result<unknown>): void {
    this.#admission.consumeAfter(bucket, who, costOfResult(result) - 1)
  }

  /** The address of the client; a proxy reports it in metadata of the names that HTTP uses. */
  addressOf(call: IncomingCall): string {
    const peer = call
      .getPeer()
      .replace(/:\d+$/, '')
      .replace(/^\[|\]$/g, '')
    return this.#addresses.of(peer, {
      forwarded: textIn(call, 'forwarded'),
      'x-forwarded-for': textIn(call, 'x-forwarded-for'),
    })
  }
}

/** Several values as one text, like headers of HTTP. */
export function textIn(
  { metadata }: Pick<IncomingCall, 'metadata'>,
  name: string,
): string | undefined {
  const values = metadata.get(name)
  return values.length === 0 ? undefined : values.join()
}
