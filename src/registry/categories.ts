// Categories group markets. An operator has its own; the global ones are the administrator's.

import type { CategoryRow, OperatorRow } from '../store/store.ts'
import type { RecordCache } from './record-cache.ts'
import {
  categoryNotFound,
  invalid,
  operatorNotFound,
  quoted,
  type RegistryReject,
} from './reject.ts'
import { addressLengthMax, descriptionLengthMax, nameFault, textFault } from './text-checks.ts'
import { newUuid } from './uuid.ts'
import type { Writes } from './write-queue.ts'

type Editable = {
  readonly name: string
  readonly description: string | null
  readonly iconUrl: string | null
  /** The lower, the earlier. */
  readonly sortOrder: number
}
export type NewCategory = Editable & { readonly slug: string }
export type CategoryChanges = Partial<Editable & { readonly isActive: boolean }>

export type CategoriesOptions = {
  readonly cache: RecordCache<CategoryRow>
  readonly writes: Writes
  readonly now: () => number
  readonly operatorOf: (id: string) => OperatorRow | undefined
}

export const categoriesMax = 10_000
export const slugLengthMax = 64
const slugForm = /^[a-z0-9-]+$/

export class Categories {
  readonly #options: CategoriesOptions

  constructor(options: CategoriesOptions) {
    this.#options = options
  }

  /** Whoever asks: a category is public. */
  get(id: string): CategoryRow | undefined {
    return this.#options.cache.get(id)
  }

  /** In the order in which they are shown. */
  list(
    operatorId: string,
    { includeGlobal, activeOnly }: { includeGlobal: boolean; activeOnly: boolean },
  ): readonly CategoryRow[] {
    const { cache } = this.#options
    const rows = [...cache.of(operatorId), ...(includeGlobal ? cache.of(null) : [])]
    return rows.filter(({ isActive }) => isActive || !activeOnly).sort(inOrder)
  }

  /** Whether that operator may put a market there: it is its own, or global. */
  isUsableBy(operatorId: string, id: string): boolean {
    const category = this.get(id)
    if (category === undefined) return false
    return category.operatorId === null || category.operatorId === operatorId
  }

  /** null makes a global one. */
  async create(
    operatorId: string | null,
    wanted: NewCategory,
  ): Promise<CategoryRow | RegistryReject> {
    const { cache, writes, now, operatorOf } = this.#options
    const fault = slugFault(wanted.slug) ?? faultOf(wanted)
    if (fault !== null) return fault
    return writes.run(async () => {
      if (operatorId !== null && operatorOf(operatorId) === undefined) return operatorNotFound
      const siblings = cache.of(operatorId)
      if (siblings.some(({ slug }) => slug === wanted.slug)) return duplicate(wanted.slug)
      if (siblings.length >= categoriesMax) {
        return invalid('categories', `there are ${categoriesMax} already.`)
      }
      const createdAt = now()
      const category: CategoryRow = {
        id: newUuid(createdAt),
        operatorId,
        name: wanted.name,
        slug: wanted.slug,
        description: wanted.description,
        iconUrl: wanted.iconUrl,
        isActive: true,
        sortOrder: wanted.sortOrder,
        createdAt,
      }
      await cache.put(category)
      return category
    })
  }

  /** null stands for the administrator, whose categories are the global ones. */
  async update(
    operatorId: string | null,
    id: string,
    changes: CategoryChanges,
  ): Promise<CategoryRow | RegistryReject> {
    const { cache, writes } = this.#options
    return writes.run(async () => {
      const known = cache.get(id)
      if (known === undefined) return categoryNotFound
      if (known.operatorId !== operatorId)
        return known.operatorId === null ? foreign : categoryNotFound
      const {
        name = known.name,
        description = known.description,
        iconUrl = known.iconUrl,
        sortOrder = known.sortOrder,
        isActive = known.isActive,
      } = changes
      const category = { ...known, name, description, iconUrl, sortOrder, isActive }
      const fault = faultOf(category)
      if (fault !== null) return fault
      await cache.put(category)
      return category
    })
  }
}

const foreign: RegistryReject = {
  code: 'FORBIDDEN',
  message: 'A global category is changed by the administrator only.',
}

function duplicate(slug: string): RegistryReject {
  const message = `There is a category with the slug ${quoted(slug)} already.`
  return { code: 'CATEGORY_DUPLICATE_SLUG', message }
}

function slugFault(slug: string): RegistryReject | null {
  if (slugForm.test(slug) && slug.length <= slugLengthMax) return null
  const rule = `1 to ${slugLengthMax} small letters, digits and hyphens`
  return invalid('slug', `${quoted(slug)} is not made of ${rule}.`)
}

function faultOf({ name, description, iconUrl, sortOrder }: Editable): RegistryReject | null {
  const fault =
    nameFault('name', name) ??
    textFault('description', description, descriptionLengthMax) ??
    textFault('iconUrl', iconUrl, addressLengthMax)
  if (fault !== null) return fault
  return Number.isFinite(sortOrder) ? null : invalid('sortOrder', 'it is not a number.')
}

/** By id where nothing else differs: the order must not change with a restart. */
function inOrder(one: CategoryRow, other: CategoryRow): number {
  const bySort = one.sortOrder - other.sortOrder || one.createdAt - other.createdAt
  return bySort || (one.id < other.id ? -1 : 1)
}
