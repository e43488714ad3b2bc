// Verifies the signature of a webhook delivery. It uses Web Crypto, which Node, browsers and edge
// runtimes all have.

import type { Event } from './generated/wire.ts'

/** Headers of fetch, or of Node's http module. */
export type HeadersLike =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

export type VerifyOptions = {
  /** Maximum age of an attempt. Default: 300. */
  readonly maxAgeSeconds?: number
  /** Unix milliseconds. Default: the clock of this machine. */
  readonly now?: number
}

type DeliveredEvent<Type extends Event> = Type extends Event
  ? Omit<Type, 'createdAt' | 'expiresAt'> & { readonly timestamp: string }
  : never

/** The body of a delivery; `id` identifies the delivery and is the same in all its attempts. */
export type Delivery = DeliveredEvent<Event> | Ping

type Ping = {
  readonly id: string
  readonly sequence: 0
  readonly operatorId: string
  readonly eventType: 'PING'
  readonly marketId: null
  readonly payload: { readonly [name: string]: unknown }
  readonly timestamp: string
}

const defaultMaxAgeSeconds = 300

/**
 * Whether the body was signed with the secret and the attempt is recent. Pass the raw body, before
 * it is parsed. The time of an attempt is not signed: process each `sequence` only once to be safe
 * from replayed deliveries.
 */
export async function verifySignature(
  secret: string,
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  { maxAgeSeconds = defaultMaxAgeSeconds, now = Date.now() }: VerifyOptions = {},
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

/** Returns the delivery, or null if its signature is not valid. */
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
  const value = isFetchHeaders(headers) ? headers.get(name) : recordValue(headers, name)
  return typeof value === 'string' ? value : ''
}

function isFetchHeaders(
  headers: HeadersLike,
): headers is Extract<HeadersLike, { get(name: string): string | null }> {
  return typeof headers.get === 'function'
}

/** Header names are case-insensitive. */
function recordValue(headers: Exclude<HeadersLike, { get: unknown }>, name: string) {
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)
  return found?.[1]
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
