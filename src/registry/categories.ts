// Stands in for the registry's own file until it lands.

import type { CategoryRow } from '../store/store.ts'
import type { RegistryReject } from './reject.ts'

export type NewCategory = Pick<
  CategoryRow,
  'name' | 'slug' | 'description' | 'iconUrl' | 'sortOrder'
>

export declare class Categories {
  create(operatorId: string | null, category: NewCategory): Promise<CategoryRow | RegistryReject>
  get(id: string): CategoryRow | undefined
  list(
    operatorId: string,
    filter: { readonly includeGlobal: boolean; readonly activeOnly: boolean },
  ): readonly CategoryRow[]
  update(
    operatorId: string | null,
    id: string,
    changes: Partial<
      Pick<CategoryRow, 'name' | 'description' | 'iconUrl' | 'sortOrder' | 'isActive'>
    >,
  ): Promise<CategoryRow | RegistryReject>
  isUsableBy(operatorId: string, id: string): boolean
}
