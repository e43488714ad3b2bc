// Categories group markets. Each operator has its own; the administrator manages the global ones.

import type { CategoryRow, OperatorRow } from '../store/store.ts'
import type { RecordCache } from './record-cache.ts'
import {
  categoryNotFound,
  invalid,
  operatorNotFound,
  quoted,
  type RegistryReject,
} from './reject.ts'
import { addressLengthMax, checkName, checkText, descriptionLengthMax } from './text-checks.ts'
import { newUuid } from './uuid.ts'
import type { WriteQueue } from './write-queue.ts'

type Editable = {
  readonly name: string
  readonly description: string | null
  readonly iconUrl: string | null
  /** Lower comes first. */
  readonly sortOrder: number
}
export type NewCategory = Editable & { readonly slug: string }
export type CategoryChanges = Partial<Editable & { readonly isActive: boolean }>

export type CategoriesOptions = {
  readonly cache: RecordCache<CategoryRow>
  readonly writes: WriteQueue
  readonly now: () => number
  readonly operatorOf: (id: string) => OperatorRow | undefined
}

const categoriesMax = 10_000
/** All categories are in memory; this is 800 bytes for each. */
const categoryTextMbMax = 8
const textBytesMax = categoryTextMbMax * 1024 * 1024
const slugLengthMax = 64
const slugForm = /^[a-z0-9-]+$/

export class Categories {
  readonly #options: CategoriesOptions
  /** Counting 8 MB for every category that is added would hold up all operators. */
  readonly #textBytes = new WeakMap<CategoryRow, number>()

  constructor(options: CategoriesOptions) {
    this.#options = options
  }

  /** Of any operator: categories are public. */
  get(id: string): CategoryRow | undefined {
    return this.#options.cache.get(id)
  }

  /** In the order in which they are shown. */
  list(
    operatorId: string | null,
    { includeGlobal, activeOnly }: { includeGlobal: boolean; activeOnly: boolean },
  ): readonly CategoryRow[] {
    const { cache } = this.#options
    const own = operatorId === null ? [] : cache.unsorted(operatorId)
    const rows = [...own, ...(includeGlobal ? cache.unsorted(null) : [])]
    return rows.filter(({ isActive }) => isActive || !activeOnly).sort(inOrder)
  }

  /** Whether the operator may use the category for its markets: it is its own, or global. */
  isUsableBy(operatorId: string, id: string): boolean {
    const category = this.get(id)
    if (category === undefined) return false
    return category.operatorId === null || category.operatorId === operatorId
  }

  /** The bytes of its texts. */
  textBytesOf(category: CategoryRow): number {
    const known = this.#textBytes.get(category)
    if (known !== undefined) return known
    const bytes = textBytesOf(category)
    this.#textBytes.set(category, bytes)
    return bytes
  }

  #textBytesAmong(operatorId: string | null): number {
    let bytes = 0
    for (const row of this.#options.cache.unsorted(operatorId)) bytes += this.textBytesOf(row)
    return bytes
  }

  /** An operatorId of null creates a global category. */
  async create(
    operatorId: string | null,
    wanted: NewCategory & { readonly id?: string | undefined },
  ): Promise<CategoryRow | RegistryReject> {
    const { cache, writes, now, operatorOf } = this.#options
    const reject = checkSlug(wanted.slug) ?? check(wanted)
    if (reject !== null) return reject
    return writes.run(async () => {
      if (operatorId !== null && operatorOf(operatorId) === undefined) return operatorNotFound
      // Of a request that is repeated after a crash.
      const known = wanted.id === undefined ? undefined : cache.get(wanted.id)
      if (known !== undefined) return known
      for (const { slug } of cache.unsorted(operatorId)) {
        if (slug === wanted.slug) return duplicate(slug)
      }
      if (cache.countOf(operatorId) >= categoriesMax) {
        return invalid('categories', `there are already ${categoriesMax}, the maximum`)
      }
      if (this.#textBytesAmong(operatorId) + textBytesOf(wanted) > textBytesMax) return tooMuchText
      const createdAt = now()
      const category: CategoryRow = {
        id: wanted.id ?? newUuid(createdAt),
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

  /** The operatorId of the administrator is null. */
  async update(
    operatorId: string | null,
    id: string,
    changes: CategoryChanges,
  ): Promise<CategoryRow | RegistryReject> {
    const { cache, writes } = this.#options
    return writes.run(async () => {
      const known = cache.get(id)
      if (known === undefined) return categoryNotFound
      if (known.operatorId !== operatorId) {
        return known.operatorId === null ? globalIsForbidden : categoryNotFound
      }
      const {
        name = known.name,
        description = known.description,
        iconUrl = known.iconUrl,
        sortOrder = known.sortOrder,
        isActive = known.isActive,
      } = changes
      const category = { ...known, name, description, iconUrl, sortOrder, isActive }
      const reject = check(category)
      if (reject !== null) return reject
      const added = textBytesOf(category) - this.textBytesOf(known)
      if (added > 0 && this.#textBytesAmong(operatorId) + added > textBytesMax) return tooMuchText
      await cache.put(category)
      return category
    })
  }
}

const globalIsForbidden: RegistryReject = {
  code: 'FORBIDDEN',
  message: 'Only the administrator can change a global category.',
}

const tooMuchText = invalid(
  'categories',
  `their names, descriptions and URLs must have at most ${categoryTextMbMax} MB in all`,
)

function textBytesOf({ name, slug, description, iconUrl }: NewCategory): number {
  return Buffer.byteLength(`${name}${slug}${description ?? ''}${iconUrl ?? ''}`)
}

function duplicate(slug: string): RegistryReject {
  const message = `A category with the slug ${quoted(slug)} already exists.`
  return { code: 'CATEGORY_DUPLICATE_SLUG', message }
}

function checkSlug(slug: string): RegistryReject | null {
  if (slugForm.test(slug) && slug.length <= slugLengthMax) return null
  const rule = `1 to ${slugLengthMax} lowercase letters, digits and hyphens`
  return invalid('slug', `${quoted(slug)} must consist of ${rule}`)
}

function check({ name, description, iconUrl, sortOrder }: Editable): RegistryReject | null {
  const reject =
    checkName('name', name) ??
    checkText('description', description, descriptionLengthMax) ??
    checkText('iconUrl', iconUrl, addressLengthMax)
  if (reject !== null) return reject
  return Number.isFinite(sortOrder) ? null : invalid('sortOrder', 'must be a finite number')
}

/** By id if all else is equal, so that the order does not change with a restart. */
function inOrder(one: CategoryRow, other: CategoryRow): number {
  const bySort = one.sortOrder - other.sortOrder || one.createdAt - other.createdAt
  return bySort || (one.id < other.id ? -1 : 1)
}
