// Adds a transactionId to a request that has none, so that the service recognizes a repetition.

type Repeatable = { readonly transactionId?: string | null | undefined }

/** The request can then be repeated after any failure and is executed once. */
export function withTransactionId<Body extends Repeatable>(body: Body) {
  return { ...body, transactionId: body.transactionId ?? newTransactionId() }
}

/** 128 random bits. Unlike randomUUID, this also works on pages that are not served over https. */
export function newTransactionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `sdk-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
