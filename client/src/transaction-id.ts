// Gives a request the transactionId by which the service knows it again, where it has none.

type Repeatable = { readonly transactionId?: string | null | undefined }

/** With it, the request can be sent again after any failure: it is carried out once. */
export function withTransactionId<Body extends Repeatable>(body: Body) {
  return { ...body, transactionId: body.transactionId ?? newTransactionId() }
}

/** 128 random bits. Unlike randomUUID, this also works on pages that are not served by https. */
export function newTransactionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `sdk-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
