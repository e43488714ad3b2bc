// The one connection to the stream. It connects again by itself, subscribes to all that is wanted,
// and resumes events where they stopped. While it is not live, pages show that they are stale.

import { signal } from '@preact/signals'
import { signOut } from '../session.ts'
import type { Said } from './said.ts'

export type Wanted = {
  readonly channels: readonly ('orderbook' | 'prices' | 'trades')[]
  readonly marketIds: readonly string[]
  readonly outcomeIds?: readonly string[]
}
type Listener = (said: Said) => void

/** A heartbeat comes every 10 seconds; without one for this long, the connection is dead. */
const silenceMaxMs = 14_000
const checkEveryMs = 1_000
const firstWaitMs = 300
const waitMaxMs = 8_000
/** The stream closes with it when a key was revoked. */
const keyEnded = 4001

export const isLive = signal(false)
/** When it went stale, in Unix milliseconds; null while it is live or never was. */
export const staleSince = signal<number | null>(null)
/** Counts connections: what a page has loaded before the latest may have missed something. */
export const connection = signal(0)

let socket: WebSocket | null = null
let apiKey: string | null = null
let isWanted = false
let failures = 0
let heardAt = 0
let lastSequence: number | null = null
let retryTimer: number | null = null
const wants = new Map<Listener, Wanted | null>()

setInterval(() => {
  if (socket !== null && Date.now() - heardAt > silenceMaxMs) lose(socket)
}, checkEveryMs)
addEventListener('online', () => reconnectNow())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') reconnectNow()
})

/** With the key of an operator for its events, or without for public data only. */
export function openStream(key: string | null): void {
  closeStream()
  apiKey = key
  isWanted = true
  lastSequence = null
  connect()
}

export function closeStream(): void {
  isWanted = false
  failures = 0
  if (retryTimer !== null) clearTimeout(retryTimer)
  retryTimer = null
  const open = socket
  socket = null
  open?.close()
  isLive.value = false
  staleSince.value = null
}

/** Until the answer is called. Everything that is said is passed on: listeners choose. */
export function listen(listener: Listener, wanted: Wanted | null = null): () => void {
  wants.set(listener, wanted)
  if (wanted !== null) say({ op: 'subscribe', ...wanted })
  return () => {
    wants.delete(listener)
    if (wanted !== null) say({ op: 'unsubscribe', ...wanted })
  }
}

/** Asks for a whole book again, where a version is missing. */
export function askAgain(wanted: Wanted): void {
  say({ op: 'subscribe', ...wanted })
}

function connect(): void {
  retryTimer = null
  heardAt = Date.now()
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const mine = new WebSocket(`${scheme}://${location.host}/ws`)
  socket = mine
  mine.addEventListener('open', () => {
    if (mine === socket) greet()
  })
  mine.addEventListener('message', ({ data }) => {
    if (mine === socket) hear(JSON.parse(String(data)))
  })
  mine.addEventListener('close', ({ code }) => {
    if (mine !== socket) return
    if (code === keyEnded) signOut('This key was revoked or has expired. Sign in with another.')
    else lose(mine)
  })
}

function greet(): void {
  heardAt = Date.now()
  failures = 0
  if (apiKey !== null) {
    say({ op: 'auth', apiKey })
    const since = lastSequence === null ? {} : { since: lastSequence }
    say({ op: 'subscribe', channels: ['events'], ...since })
  }
  for (const wanted of wants.values()) {
    if (wanted !== null) say({ op: 'subscribe', ...wanted })
  }
  isLive.value = true
  staleSince.value = null
  connection.value += 1
}

function hear(said: Said): void {
  heardAt = Date.now()
  if (said.type === 'event') lastSequence = said.event.sequence
  for (const listener of [...wants.keys()]) listener(said)
}

function say(message: object): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

function lose(lost: WebSocket): void {
  socket = null
  lost.close()
  if (isLive.peek() || staleSince.peek() === null) staleSince.value = Date.now()
  isLive.value = false
  if (!isWanted) return
  const waitMs = Math.min(waitMaxMs, firstWaitMs * 2 ** failures)
  failures += 1
  // Not all at once, when a service comes back to many.
  retryTimer = window.setTimeout(connect, waitMs * (0.75 + Math.random() / 2))
}

function reconnectNow(): void {
  if (retryTimer === null || !isWanted) return
  clearTimeout(retryTimer)
  connect()
}
