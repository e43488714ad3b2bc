// Commands as they cross a link: tuples for the frequent kinds, which cost a third of objects to
// read, and plain objects for the others.

import type { Serial } from '../../core/ids.ts'
import type { Price, Shares } from '../../core/money.ts'
import { type OrderType, sides } from '../../core/words.ts'
import type {
  AmendOrder,
  CancelOrder,
  CancelOrders,
  CommandKind,
  Commands,
  PlaceOrder,
} from '../../engine/commands.ts'
import { type Codec, placeOf, plain, wordAt } from './codec.ts'

export const orderTypes: readonly OrderType[] = ['LIMIT', 'MARKET']

type PlaceTuple = readonly [
  operatorId: string,
  marketSerial: Serial,
  outcomeSerial: Serial,
  playerId: string,
  side: number,
  type: number,
  shares: Shares,
  price: Price | null,
  expiresAt: number | null,
  options: number,
  transactionId: string | null,
]

/** Of a PlaceTuple. */
const placeFields = 11

type Traced = { readonly traceId?: string }

/**
 * Of an order in a group or by amount, which follow the traceId. It is not sent to nodes of earlier
 * versions, which would not read it.
 */
function withMore(tuples: Codec<PlaceOrder>): Codec<PlaceOrder> {
  return {
    encode: (order) => {
      const tuple = tuples.encode(order) as unknown[]
      const { amount, orderGroupSerial = null, traceId = null } = order
      if (orderGroupSerial === null && amount === undefined) return tuple
      const more = amount === undefined ? [] : [amount]
      return [...tuple.slice(0, placeFields), traceId, orderGroupSerial, ...more]
    },
    decode: (json) => {
      const order = tuples.decode(json)
      const more = (json as readonly unknown[]).slice(placeFields + 1)
      const [orderGroupSerial, amount] = more as [(Serial | null)?, number?]
      return {
        ...order,
        ...(orderGroupSerial == null ? {} : { orderGroupSerial }),
        ...(amount === undefined ? {} : { amount }),
      }
    },
  }
}

/**
 * Of tuples with so many fields: a traceId follows them if there is one. Nodes of earlier versions
 * do not read it.
 */
function traced<Command extends Traced>(fields: number, tuples: Codec<Command>): Codec<Command> {
  return {
    encode: (command) => {
      const tuple = tuples.encode(command)
      return command.traceId === undefined ? tuple : [...(tuple as unknown[]), command.traceId]
    },
    decode: (json) => {
      const command = tuples.decode(json)
      const traceId = (json as readonly unknown[])[fields] as string | null | undefined
      return traceId == null ? command : { ...command, traceId }
    },
  }
}

const place: Codec<PlaceOrder> = {
  encode: (order): PlaceTuple => [
    order.operatorId,
    order.marketSerial,
    order.outcomeSerial,
    order.playerId,
    placeOf(sides, order.side),
    placeOf(orderTypes, order.type),
    order.shares,
    order.price,
    order.expiresAt,
    order.options,
    order.transactionId,
  ],
  decode: (json) => {
    const tuple = json as PlaceTuple
    return {
      operatorId: tuple[0],
      marketSerial: tuple[1],
      outcomeSerial: tuple[2],
      playerId: tuple[3],
      side: wordAt(sides, tuple[4]),
      type: wordAt(orderTypes, tuple[5]),
      shares: tuple[6],
      price: tuple[7],
      expiresAt: tuple[8],
      options: tuple[9],
      transactionId: tuple[10],
    }
  },
}

const cancel: Codec<CancelOrder> = {
  encode: ({ operatorId, orderSerial }) => [operatorId, orderSerial],
  decode: (json) => {
    const [operatorId, orderSerial] = json as [string, Serial]
    return { operatorId, orderSerial }
  },
}

const cancelMany: Codec<CancelOrders> = {
  encode: ({ operatorId, orderSerials }) => [operatorId, orderSerials],
  decode: (json) => {
    const [operatorId, orderSerials] = json as [string, Serial[]]
    return { operatorId, orderSerials }
  },
}

const amend: Codec<AmendOrder> = {
  encode: ({ operatorId, orderSerial, shares, price }) => [operatorId, orderSerial, shares, price],
  decode: (json) => {
    const [operatorId, orderSerial, shares, price] = json as [
      string,
      Serial,
      Shares | null,
      Price | null,
    ]
    return { operatorId, orderSerial, shares, price }
  },
}

const codecs: { readonly [Kind in CommandKind]: Codec<Commands[Kind]['command']> } = {
  place: withMore(traced(placeFields, place)),
  cancel: traced(2, cancel),
  cancelMany: traced(2, cancelMany),
  amend: traced(4, amend),
  changeSets: plain(),
  createMarket: plain(),
  editMarket: plain(),
  manage: plain(),
  changeTradingWindow: plain(),
  changeControls: plain(),
  settle: plain(),
  retrySettlements: plain(),
  acknowledge: plain(),
  armDeadMan: plain(),
  clearDeadMan: plain(),
  deadMan: plain(),
  createOrderGroup: plain(),
  limitOrderGroup: plain(),
  triggerOrderGroup: plain(),
  resetOrderGroup: plain(),
  deleteOrderGroup: plain(),
  orderGroup: plain(),
  orderGroups: plain(),
  preview: plain(),
  book: plain(),
  prices: plain(),
  queue: plain(),
}

/** False for a kind that only a later version has. */
export function isCommandKind(kind: string): kind is CommandKind {
  return Object.hasOwn(codecs, kind)
}

export function commandCodec<Kind extends CommandKind>(
  kind: Kind,
): Codec<Commands[Kind]['command']> {
  return codecs[kind]
}

/** Whose command it is; the empty text for public queries, which together count as one operator. */
export function operatorOf(command: Commands[CommandKind]['command']): string {
  return ('operatorId' in command ? command.operatorId : null) ?? ''
}
