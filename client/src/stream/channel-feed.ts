// Trades and prices of markets. Trades all count; of prices that are not taken in time only the
// latest of each outcome is kept.

import { OutcryError } from '../errors.ts'
import type { PriceMessage, Said, TradeMessage } from '../generated/wire.ts'
import { Feed } from './feed.ts'
import type { Listener, Part, Serving } from './listener.ts'
import { Mailbox } from './mailbox.ts'

export type Of = {
  readonly marketIds: readonly string[]
  /** Only these of their outcomes; left out: all. */
  readonly outcomeIds?: readonly string[]
}

const tradesWaitingMax = 10_000

export function tradesOf(stream: Serving, of: Of): Feed<TradeMessage> {
  const mailbox = new Mailbox<TradeMessage>()
  const listener = listenerOf(mailbox, { channels: ['trades'], ...of }, (message) => {
    if (message.type !== 'trade' || !isOf(of, message)) return
    mailbox.put(message)
    if (mailbox.size <= tradesWaitingMax) return
    mailbox.fail(tooSlow())
    stream.leave(listener)
  })
  return feedOf(stream, listener, mailbox)
}

export function pricesOf(stream: Serving, of: Of): Feed<PriceMessage> {
  const mailbox = new Mailbox<PriceMessage>()
  const listener = listenerOf(mailbox, { channels: ['prices'], ...of }, (message) => {
    if (message.type === 'price' && isOf(of, message)) mailbox.put(message, message.outcomeId)
  })
  return feedOf(stream, listener, mailbox)
}

function listenerOf<Item>(
  mailbox: Mailbox<Item>,
  part: Part,
  hear: (message: Said) => void,
): Listener {
  return {
    part,
    asked: () => undefined,
    taken: () => undefined,
    hear,
    interrupted: () => undefined,
    fail: (error) => mailbox.fail(error),
    end: () => mailbox.end(),
  }
}

function feedOf<Item>(stream: Serving, listener: Listener, mailbox: Mailbox<Item>): Feed<Item> {
  stream.begin(listener)
  return new Feed(mailbox, () => stream.leave(listener))
}

function tooSlow(): OutcryError {
  const message = `More than ${tradesWaitingMax} trades waited to be taken.`
  return new OutcryError({ code: 'TOO_SLOW', message })
}

function isOf(
  { marketIds, outcomeIds }: Of,
  message: { readonly marketId: string; readonly outcomeId: string },
): boolean {
  if (!marketIds.includes(message.marketId)) return false
  return outcomeIds === undefined || outcomeIds.includes(message.outcomeId)
}
