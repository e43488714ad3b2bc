// Categories: how markets are grouped.

import { type Static, Type } from 'typebox'
import { Description, Id, ImageUrl, name, nullable, record, request, Time } from './fields.ts'

const Name = name(1, 256)
const SortOrder = Type.Number({ minimum: -1e9, maximum: 1e9 })

export const CategoryOfMarket = record('CategoryOfMarket', {
  id: Id,
  name: Type.String(),
  slug: Type.String(),
})

export const Category = record('Category', {
  id: Id,
  operatorId: nullable(Id),
  name: Type.String(),
  slug: Type.String(),
  description: nullable(Type.String()),
  iconUrl: nullable(Type.String()),
  isActive: Type.Boolean(),
  sortOrder: Type.Number({ description: 'Categories with lower values are listed first.' }),
  createdAt: Time,
})
export type Category = Static<typeof Category>

export const CreateCategory = request(
  'CreateCategory',
  {
    name: Name,
    slug: Type.String({ pattern: '^[a-z0-9-]+$', minLength: 1, maxLength: 64 }),
    description: Type.Optional(nullable(Description)),
    iconUrl: Type.Optional(nullable(ImageUrl)),
    sortOrder: Type.Optional(SortOrder),
  },
  { example: { name: 'Weather', slug: 'weather', sortOrder: 10 } },
)
export type CreateCategory = Static<typeof CreateCategory>

export const EditCategory = request(
  'EditCategory',
  {
    name: Type.Optional(Name),
    description: Type.Optional(nullable(Description)),
    iconUrl: Type.Optional(nullable(ImageUrl)),
    sortOrder: Type.Optional(SortOrder),
    isActive: Type.Optional(Type.Boolean()),
  },
  { example: { isActive: false } },
)

const ActiveOnly = Type.Optional(Type.Boolean({ default: true }))

export const CategoriesQuery = Type.Object({
  includeGlobal: Type.Optional(Type.Boolean({ default: true })),
  activeOnly: ActiveOnly,
})

export const GlobalCategoriesQuery = Type.Object({ activeOnly: ActiveOnly })
