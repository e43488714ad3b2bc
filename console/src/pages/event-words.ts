// The event types that a webhook can receive and the events page can filter by.

export const eventTypes = [
  'MARKET_CREATED',
  'MARKET_STATUS_CHANGED',
  'MARKET_UPDATED',
  'MARKET_RESOLVED',
  'ORDER_PLACED',
  'ORDER_MATCHED',
  'ORDER_CANCELLED',
  'ORDER_AMENDED',
  'ORDER_BOOK_UPDATE',
  'PRICE_UPDATED',
  'POSITION_UPDATED',
  'SETTLEMENT_COMPLETED',
  'DEAD_MAN_TRIGGERED',
  'CONTROLS_CHANGED',
  'ORDER_GROUP_TRIGGERED',
  'ORDER_GROUP_TRIGGERED',
] as const

export type EventType = (typeof eventTypes)[number]
