// Stands in for the registry's own file until it lands.

import type { OperatorRow } from '../store/store.ts'
import type { RegistryReject } from './reject.ts'

export declare class Operators {
  create(operator: {
    readonly name: string
    readonly supportedCurrencies: readonly string[]
    readonly feeRate: number | null
  }): Promise<{ operator: OperatorRow; apiKey: string } | RegistryReject>
  get(id: string): OperatorRow | undefined
  list(): readonly OperatorRow[]
  update(
    id: string,
    changes: Partial<Pick<OperatorRow, 'name' | 'supportedCurrencies' | 'feeRate' | 'isActive'>>,
  ): Promise<OperatorRow | RegistryReject>
}
