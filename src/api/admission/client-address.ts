// The address of a client, as limits and logs count it: that of its connection or, behind trusted
// proxies, the one that they report in X-Forwarded-For or Forwarded. Clients can send these headers
// themselves, so they are read from the right, where the nearest proxy has added its entry.

import { type AddressBlock, canonicalAddress, membershipOf } from '../../address-blocks.ts'

/** The headers that may name a client; header values of several lines are joined by commas. */
export type ForwardingHeaders = {
  readonly forwarded?: string | undefined
  readonly 'x-forwarded-for'?: string | string[] | undefined
}

/** Chains are not followed further: beyond it, the last address that was found counts. */
const proxiesMax = 16
/** An entry that is longer is not an address with its parameters. */
const entryLengthMax = 512
/** With brackets, zone and port. */
const addressLengthMax = 80

export class ClientAddresses {
  readonly #isTrusted: (address: string) => boolean

  constructor(trustedProxies: readonly AddressBlock[]) {
    this.#isTrusted = trustedProxies.length === 0 ? () => false : membershipOf(trustedProxies)
  }

  /** `peer` is the address of the connection; undefined if it is closed already. */
  of(peer: string | undefined, headers: ForwardingHeaders): string {
    const own = canonicalAddress(peer ?? '') ?? peer ?? ''
    if (!this.#isTrusted(own)) return own
    const { forwarded, 'x-forwarded-for': list } = headers
    const forwardedFor = Array.isArray(list) ? list.join() : list
    const one = forwardedFor === undefined ? null : this.#follow(own, plainEntries(forwardedFor))
    const other = forwarded === undefined ? null : this.#follow(own, forwardedEntries(forwarded))
    // A proxy that writes one of the headers may pass on the other as the client has sent it.
    if (one !== null && other !== null && one !== other) return own
    return one ?? other ?? own
  }

  /** The nearest address that is not trusted. An entry that is no address ends the chain. */
  #follow(peer: string, entries: Iterable<string | null>): string {
    let last = peer
    let count = 0
    for (const entry of entries) {
      count += 1
      const address = entry === null || count > proxiesMax ? null : addressIn(entry)
      if (address === null) return last
      last = address
      if (!this.#isTrusted(address)) return address
    }
    return last
  }
}

/** The entries of X-Forwarded-For, the last one first; null for one that is too long. */
function* plainEntries(text: string): Generator<string | null> {
  let end = text.length
  while (end >= 0) {
    const start = lastIndexWithin(text, end)
    yield start === null ? null : text.slice(start, end).trim()
    end = (start ?? 0) - 1
  }
}

function lastIndexWithin(text: string, end: number): number | null {
  const least = Math.max(0, end - entryLengthMax)
  for (let at = end - 1; at >= least; at -= 1) if (text[at] === ',') return at + 1
  return least === 0 ? 0 : null
}

/** What each element of Forwarded says about its client, the last one first. */
function* forwardedEntries(text: string): Generator<string | null> {
  let end = text.length
  while (end >= 0) {
    const start = elementStart(text, end)
    yield start === null ? null : clientIn(text.slice(start, end))
    end = (start ?? 0) - 1
  }
}

/** Of the element that ends there: after the next comma to the left that is not quoted. */
function elementStart(text: string, end: number): number | null {
  const least = Math.max(0, end - entryLengthMax)
  let isQuoted = false
  for (let at = end - 1; at >= least; at -= 1) {
    if (text[at] === '"' && !isEscaped(text, at)) isQuoted = !isQuoted
    else if (text[at] === ',' && !isQuoted) return at + 1
  }
  return least === 0 && !isQuoted ? 0 : null
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (before > 0 && text[before - 1] === '\\') before -= 1
  return (at - before) % 2 === 1
}

const pair = /[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*))[ \t]*(;|$)/y

/** The parameter `for` of an element; null if there is none or more than one. */
function clientIn(element: string): string | null {
  let client: string | null = null
  pair.lastIndex = 0
  while (pair.lastIndex < element.length) {
    const [, name = '', quoted, token] = pair.exec(element) ?? []
    if (name === '') return null
    if (name.toLowerCase() !== 'for') continue
    if (client !== null) return null
    client = quoted === undefined ? (token ?? '') : quoted.replace(/\\(.)/g, '$1')
  }
  return client
}

const withPort = /^(?:\[([\da-fA-F:.]{2,45})\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::\w{1,8})?$/

/** An address without port and brackets; null if the text is none. */
function addressIn(text: string): string | null {
  if (text.length > addressLengthMax) return null
  const [, v6, v4] = withPort.exec(text) ?? []
  return canonicalAddress(v6 ?? v4 ?? text)
}
