// Tells whether a webhook's delivery is the service's and whole. Web Crypto does the work, so that
// it runs in Node, in browsers and at the edge alike.

import type { Event } from './generated/wire.ts'

/** As fetch has them, or as Node's http module does. */
export type HeadersLike =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

export type VerifyOptions = {
  /** How old an attempt may be; 300 where it is left out. */
  readonly maxAgeSeconds?: number
  /** Unix milliseconds; the clock of this machine where it is left out. */
  readonly now?: number
}

type Told<Type extends Event> = Type extends Event
  ? Omit<Type, 'createdAt' | 'expiresAt'> & { readonly timestamp: string }
  : never

/** The body of a delivery; `id` is that of the delivery, the same at each of its attempts. */
export type Delivery = Told<Event> | Ping

type Ping = {
  readonly id: string
  readonly sequence: 0
  readonly operatorId: string
  readonly eventType: 'PING'
  readonly marketId: null
  readonly payload: { readonly [name: string]: unknown }
  readonly timestamp: string
}

const usualMaxAgeSeconds = 300

/**
 * Whether the body was signed with the secret, and the attempt is not old. Give the body as it
 * came, before anything parses it. The time of an attempt is not signed: what protects from a
 * delivery that somebody recorded is to handle each `sequence` once.
 */
export async function verifySignature(
  secret: string,
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  { maxAgeSeconds = usualMaxAgeSeconds, now = Date.now() }: VerifyOptions = {},
): Promise<boolean> {
  const signature = /^sha256=([0-9a-f]{64})$/.exec(headerOf(headers, 'x-webhook-signature'))?.[1]
  const sentAt = /^\d{1,12}$/.exec(headerOf(headers, 'x-webhook-timestamp'))?.[0]
  if (secret === '' || signature === undefined || sentAt === undefined) return false
  if (Math.abs(now / 1_000 - Number(sentAt)) > maxAgeSeconds) return false
  const text = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', text.encode(secret), algorithm, false, [
    'verify',
  ])
  const body = typeof rawBody === 'string' ? text.encode(rawBody) : new Uint8Array(rawBody)
  // Compares in constant time.
  return crypto.subtle.verify('HMAC', key, bytesOf(signature), body)
}

/** What was delivered, or null where it is not to be trusted. */
export async function readDelivery(
  secret: string,
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  options: VerifyOptions = {},
): Promise<Delivery | null> {
  if (!(await verifySignature(secret, rawBody, headers, options))) return null
  return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody))
}

function headerOf(headers: HeadersLike, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : ofRecord(headers, name)
  return typeof value === 'string' ? value : ''
}

function isFetchHeaders(
  headers: HeadersLike,
): headers is Extract<HeadersLike, { get(name: string): string | null }> {
  return typeof headers.get === 'function'
}

/** Whatever the case of its names. */
function ofRecord(headers: Exclude<HeadersLike, { get: unknown }>, name: string) {
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)
  return found?.[1]
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
