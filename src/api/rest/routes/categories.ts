// Categories: an operator's own, and the administrator's, which are for all.

import { type Static, Type } from 'typebox'
import { categoryNotFound, isReject } from '../../../registry/reject.ts'
import type { CategoryRow } from '../../../store/store.ts'
import { refusalOfRegistry } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { presentCategory } from '../../present/registry.ts'
import {
  CategoriesQuery,
  Category,
  CreateCategory,
  EditCategory,
  GlobalCategoriesQuery,
} from '../../schemas/category.ts'
import { named } from '../../schemas/fields.ts'
import { costOfBytes } from '../answer-cost.ts'
import { rowsAnswer } from '../array-stream.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

export function addCategories(routes: Routes, context: Context): void {
  addWrites(routes, context)
  addReads(routes, context)
}

function addWrites(routes: Routes, context: Context): void {
  const creating = {
    method: 'POST',
    body: CreateCategory,
    answer: named(Category),
    status: 201,
    errors: ['CATEGORY_DUPLICATE_SLUG'],
  } as const
  routes.operator(
    {
      ...creating,
      path: '/api/v1/categories',
      scope: 'manage',
      tag: 'Categories',
      name: 'createCategory',
      summary: 'Create a category',
    },
    ({ operator, body, attempt }) =>
      create(context, operator.id, { ...body, id: attempt?.recordId }),
  )
  routes.admin(
    {
      ...creating,
      path: '/api/v1/admin/categories',
      tag: 'Administration',
      name: 'createGlobalCategory',
      summary: 'Create a global category',
    },
    ({ body, attempt }) => create(context, null, { ...body, id: attempt?.recordId }),
  )
  const editing = {
    method: 'PATCH',
    body: EditCategory,
    answer: named(Category),
    errors: ['CATEGORY_NOT_FOUND'],
  } as const
  routes.operator(
    {
      ...editing,
      path: '/api/v1/categories/:id',
      scope: 'manage',
      tag: 'Categories',
      name: 'editCategory',
      summary: 'Edit a category',
    },
    ({ operator, params, body }) => edit(context, operator.id, params.id, body),
  )
  routes.admin(
    {
      ...editing,
      path: '/api/v1/admin/categories/:id',
      tag: 'Administration',
      name: 'editGlobalCategory',
      summary: 'Edit a global category',
    },
    ({ params, body }) => edit(context, null, params.id, body),
  )
}

function addReads(routes: Routes, { registry }: Context): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/categories',
      scope: 'read',
      tag: 'Categories',
      name: 'listCategories',
      summary: 'List categories, by sortOrder',
      query: CategoriesQuery,
      description: 'A long list counts as several requests, by its length.',
      answer: Type.Array(named(Category)),
    },
    ({ operator, query: { includeGlobal = true, activeOnly = true }, charge }) => {
      const { categories } = registry
      const rows = categories.list(operator.id, { includeGlobal, activeOnly })
      const more = costOfBytes(rows.reduce((sum, row) => sum + bytesOf(categories, row), 0))
      if (more === 0) return new Done(rows.map(presentCategory))
      return charge(more) ?? rowsAnswer(rows, presentCategory)
    },
  )
  routes.admin(
    {
      method: 'GET',
      path: '/api/v1/admin/categories',
      tag: 'Administration',
      name: 'listGlobalCategories',
      summary: 'List global categories, by sortOrder',
      query: GlobalCategoriesQuery,
      answer: Type.Array(named(Category)),
    },
    ({ query: { activeOnly = true } }) => {
      const rows = registry.categories.list(null, { includeGlobal: true, activeOnly })
      return rowsAnswer(rows, presentCategory)
    },
  )
  routes.public(
    {
      method: 'GET',
      path: '/api/v1/categories/:id',
      tag: 'Categories',
      name: 'getCategory',
      summary: 'Get a category',
      answer: named(Category),
      errors: ['CATEGORY_NOT_FOUND'],
    },
    ({ params }) => {
      const row = registry.categories.get(params.id.toLowerCase())
      if (row === undefined) return refusalOfRegistry(categoryNotFound)
      return new Done(presentCategory(row))
    },
  )
}

/** Of a category as JSON without its texts. */
const fieldBytes = 250

function bytesOf(categories: Context['registry']['categories'], row: CategoryRow): number {
  return fieldBytes + categories.textBytesOf(row)
}

type NewCategory = Static<typeof CreateCategory> & { readonly id: string | undefined }

async function create({ registry }: Context, operatorId: string | null, body: NewCategory) {
  const made = await registry.categories.create(operatorId, {
    id: body.id,
    name: body.name,
    slug: body.slug,
    description: body.description ?? null,
    iconUrl: body.iconUrl ?? null,
    sortOrder: body.sortOrder ?? 0,
  })
  return isReject(made) ? refusalOfRegistry(made) : new Done(presentCategory(made), { status: 201 })
}

async function edit(
  { registry }: Context,
  operatorId: string | null,
  id: string,
  changes: Static<typeof EditCategory>,
) {
  const edited = await registry.categories.update(operatorId, id.toLowerCase(), changes)
  return isReject(edited) ? refusalOfRegistry(edited) : new Done(presentCategory(edited))
}
