// All corruptions.

import type { Plant } from './plant.ts'
import { plantsOfEvents } from './plants-of-events.ts'
import { plantsOfHoldings } from './plants-of-holdings.ts'
import { plantsOfOrders } from './plants-of-orders.ts'
import { plantsOfTrades } from './plants-of-trades.ts'
import { plantsOfTurns } from './plants-of-turns.ts'

export const plants: readonly Plant[] = [
  ...plantsOfTurns,
  ...plantsOfOrders,
  ...plantsOfEvents,
  ...plantsOfTrades,
  ...plantsOfHoldings,
]
