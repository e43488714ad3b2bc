// Every named schema: the components of the document, which references are resolved against.

import * as audit from './audit.ts'
import * as category from './category.ts'
import * as cluster from './cluster.ts'
import * as controls from './controls.ts'
import * as deadMan from './dead-man.ts'
import * as envelope from './envelope.ts'
import * as holding from './holding.ts'
import * as limits from './limits.ts'
import * as market from './market.ts'
import * as marketData from './market-data.ts'
import * as marketSummary from './market-summary.ts'
import * as operator from './operator.ts'
import * as order from './order.ts'
import * as orderGroup from './order-group.ts'
import * as publicMarket from './public-market.ts'
import * as statistics from './statistics.ts'
import * as webhook from './webhook.ts'

export type Component = { readonly $id: string }

/** In the order of the files, each once. */
export const components: readonly Component[] = [
  market,
  category,
  order,
  deadMan,
  orderGroup,
  holding,
  marketData,
  marketSummary,
  publicMarket,
  statistics,
  webhook,
  operator,
  cluster,
  audit,
  controls,
  envelope,
  limits,
].flatMap((file) => Object.values<unknown>(file).filter(isComponent))

function isComponent(value: unknown): value is Component {
  return typeof value === 'object' && value !== null && '$id' in value
}
