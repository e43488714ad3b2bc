// Stands in for the registry's own file until it lands.

import type { Categories } from './categories.ts'
import type { Keys } from './keys.ts'
import type { Operators } from './operators.ts'
import type { Webhooks } from './webhooks.ts'

export declare class Registry {
  readonly operators: Operators
  readonly keys: Keys
  readonly categories: Categories
  readonly webhooks: Webhooks
}
