// The page of categories, in their sort order: those of an operator, or the administrator's, which
// are for all.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { can } from '../identity.ts'
import { useLoaded } from '../loaded.ts'
import { Heads } from '../parts/heads.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import type { Category } from '../wire.ts'
import { CategoryForm } from './category-form.tsx'

export function CategoriesPage({ isGlobal = false }: { isGlobal?: boolean }) {
  const categories = useLoaded(() => listOf(isGlobal), [isGlobal])
  const [edited, setEdited] = useState<Category | null>(null)
  const saved = () => {
    setEdited(null)
    categories.reload()
  }
  return (
    <Page title="Categories">
      <p class="lead">
        {isGlobal
          ? 'Global categories group the markets of all operators. Operators add their own.'
          : 'Categories group markets. The administrator manages the global ones.'}
      </p>
      <div class="list-and-form">
        <Panel title="All categories">
          {categories.data === null ? (
            <LoadState of={categories} what="Categories" />
          ) : categories.data.length === 0 ? (
            <Empty>No categories yet.</Empty>
          ) : (
            <CategoryTable
              categories={categories.data}
              isGlobal={isGlobal}
              edited={edited}
              onEdit={setEdited}
            />
          )}
        </Panel>
        {isGlobal || can('manage') ? (
          <CategoryForm
            key={edited?.id ?? 'new'}
            isGlobal={isGlobal}
            edited={edited}
            onSaved={saved}
            onDiscard={() => setEdited(null)}
          />
        ) : null}
      </div>
    </Page>
  )
}

function listOf(isGlobal: boolean): Promise<readonly Category[]> {
  const all = { activeOnly: false }
  return isGlobal ? exchange().admin.categories(all) : exchange().categories.list(all)
}

type TableProps = {
  readonly isGlobal: boolean
  readonly categories: readonly Category[]
  readonly edited: Category | null
  readonly onEdit: (category: Category) => void
}

function CategoryTable({ categories, isGlobal, edited, onEdit }: TableProps) {
  return (
    <div class="table-wrap">
      <table class="table">
        <Heads columns={['Category', 'State', ['Sort order', 'number'], ['Edit', 'action']]} />
        <tbody>
          {categories.map((category) => (
            <tr key={category.id} data-chosen={edited?.id === category.id ? 'yes' : undefined}>
              <th scope="row">
                {category.name}
                <small>
                  {category.slug}
                  {category.description === null ? '' : ` · ${category.description}`}
                </small>
              </th>
              <td>
                <Status of={category.isActive ? 'ACTIVE' : 'HIDDEN'} />
              </td>
              <td class="number">{category.sortOrder}</td>
              <td class="number">
                {category.operatorId === null && !isGlobal ? (
                  <span class="badge">Global</span>
                ) : isGlobal || can('manage') ? (
                  <button type="button" class="quiet small" onClick={() => onEdit(category)}>
                    Edit<span class="unseen"> {category.name}</span>
                  </button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
