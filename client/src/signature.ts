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
 * Whether the body was signed with the `secret` or the `signingSecret` of the webhook, and the
 * attempt is recent. Pass the raw body, before it is parsed. While a new secret replaces an old
 * one, both are accepted. A delivery may arrive twice: process each `sequence` only once.
 */
export async function verifySignature(
  secret: string,
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  { maxAgeSeconds = defaultMaxAgeSeconds, now = Date.now() }: VerifyOptions = {},
): Promise<boolean> {
  const signatures = [...signaturesOf(headers)].filter(
    ({ sentAt }) => Math.abs(now / 1_000 - sentAt) <= maxAgeSeconds,
  )
  if (signatures.length === 0 || secret === '') return false
  const text = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['verify'])
  const body = typeof rawBody === 'string' ? text.encode(rawBody) : new Uint8Array(rawBody)
  for (const { signature, signed } of signatures) {
    const message = joined(text.encode(signed), body)
    // Compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, signature, message)) return true
  }
  return false
}

/** The bytes of the secret's text; the signingSecret of a webhook encodes the same bytes. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const base64 = /^whsec_([A-Za-z0-9+/]{2,}={0,2})$/.exec(secret)?.[1] ?? ''
  if (base64 === '' || base64.length % 4 !== 0) return new TextEncoder().encode(secret)
  return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
}

type Signature = {
  /** Unix seconds. */
  readonly sentAt: number
  readonly signature: Uint8Array<ArrayBuffer>
  /** What is signed before the body. */
  readonly signed: string
}

/** More than the service sends. */
const signaturesMax = 8

/** Those of Standard Webhooks, and that over the body alone. */
function signaturesOf(headers: HeadersLike): Signature[] {
  const found: Signature[] = []
  const sentAt = secondsOf(headers, 'webhook-timestamp')
  if (sentAt !== null) {
    const signed = `${headerOf(headers, 'webhook-id')}.${sentAt}.`
    const all = headerOf(headers, 'webhook-signature').split(' ', signaturesMax)
    for (const each of all) {
      const base64 = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(each)?.[1]
      if (base64 === undefined) continue
      const signature = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
      found.push({ sentAt: Number(sentAt), signature, signed })
    }
  }
  const hex = /^sha256=([0-9a-f]{64})$/.exec(headerOf(headers, 'x-webhook-signature'))?.[1]
  const at = secondsOf(headers, 'x-webhook-timestamp')
  if (hex !== undefined && at !== null) {
    found.push({ sentAt: Number(at), signature: bytesOf(hex), signed: '' })
  }
  return found
}

function secondsOf(headers: HeadersLike, name: string): string | null {
  return /^\d{1,12}$/.exec(headerOf(headers, name))?.[0] ?? null
}

function joined(
  first: Uint8Array<ArrayBuffer>,
  second: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
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
