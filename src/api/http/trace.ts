// The trace that a request belongs to, from its header traceparent (W3C Trace Context).

export type Trace = { readonly traceId: string; readonly parentId: string }

/** A later version may append further fields. */
const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(-.*)?$/
const charactersMax = 256

/** null if there is no header, or an invalid one, which is ignored. */
export function traceOf(traceparent: unknown): Trace | null {
  if (typeof traceparent !== 'string' || traceparent.length > charactersMax) return null
  const [, version, traceId, parentId, more] = form.exec(traceparent) ?? []
  if (traceId === undefined || parentId === undefined) return null
  return version === '00' && more !== undefined ? null : { traceId, parentId }
}
