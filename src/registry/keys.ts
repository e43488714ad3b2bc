// Stands in for the registry's own file until it lands.

import type { KeyRow, OperatorRow } from '../store/store.ts'
import type { RegistryReject } from './reject.ts'

export declare class Keys {
  create(
    operatorId: string,
    key: {
      readonly label: string | null
      readonly scopes: readonly string[]
      readonly expiresAt: number | null
    },
  ): Promise<{ key: KeyRow; apiKey: string } | RegistryReject>
  list(operatorId: string): readonly KeyRow[] | RegistryReject
  revoke(operatorId: string, keyId: string): Promise<KeyRow | RegistryReject>
  authenticate(apiKey: string): { operator: OperatorRow; key: KeyRow } | null
}
