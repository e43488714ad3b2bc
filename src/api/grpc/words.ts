// Enum values are numbers in a message and words everywhere else. The words are the names in the
// proto file without their prefix.

import {
  DeadManState,
  OrderStatus,
  OrderType,
  PartyRole,
  SelfTradePrevention,
  Side,
  TimeInForce,
  TradeKind,
} from './generated/outcry/v1/outcry.ts'

class Words<Value extends number> {
  readonly #numbers = new Map<string, Value>()
  readonly #words = new Map<number, string>()
  readonly #unspecified: Value

  constructor(prefix: string, values: Readonly<Record<string, Value>>, unspecified: Value) {
    this.#unspecified = unspecified
    for (const [name, value] of Object.entries(values)) {
      if (!name.startsWith(prefix) || value === unspecified) continue
      this.#numbers.set(name.slice(prefix.length), value)
      this.#words.set(value, name.slice(prefix.length))
    }
  }

  numberOf(word: string): Value {
    return this.#numbers.get(word) ?? this.#unspecified
  }

  /** undefined if the value is unset; an unknown number is kept, and refused by validation. */
  wordOf(value: Value): string | undefined {
    return value === this.#unspecified ? undefined : (this.#words.get(value) ?? String(value))
  }
}

export const sides = new Words('SIDE_', Side, Side.SIDE_UNSPECIFIED)
export const orderTypes = new Words('ORDER_TYPE_', OrderType, OrderType.ORDER_TYPE_UNSPECIFIED)
export const orderStatuses = new Words(
  'ORDER_STATUS_',
  OrderStatus,
  OrderStatus.ORDER_STATUS_UNSPECIFIED,
)
export const timesInForce = new Words(
  'TIME_IN_FORCE_',
  TimeInForce,
  TimeInForce.TIME_IN_FORCE_UNSPECIFIED,
)
export const selfTradePreventions = new Words(
  'SELF_TRADE_PREVENTION_',
  SelfTradePrevention,
  SelfTradePrevention.SELF_TRADE_PREVENTION_UNSPECIFIED,
)
export const deadManStates = new Words(
  'DEAD_MAN_STATE_',
  DeadManState,
  DeadManState.DEAD_MAN_STATE_UNSPECIFIED,
)
export const tradeKinds = new Words('TRADE_KIND_', TradeKind, TradeKind.TRADE_KIND_UNSPECIFIED)
export const partyRoles = new Words('PARTY_ROLE_', PartyRole, PartyRole.PARTY_ROLE_UNSPECIFIED)
