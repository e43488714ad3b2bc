// The header row of a table, whose columns may sort it.

/** A name, or a name and its classes: "number" aligns right, "wide-only" hides on phones. */
export type Column = string | readonly [name: string, kind: string, sortsBy?: string]

export type Sorting = {
  readonly by: string
  readonly isAscending: boolean
  readonly onSort: (by: string) => void
}

export function Heads({ columns, sorting }: { columns: readonly Column[]; sorting?: Sorting }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const [name, kind, sortsBy] = typeof column === 'string' ? [column, ''] : column
          if (sorting !== undefined && sortsBy !== undefined) {
            return <SortingHead key={name} {...{ name, kind, sortsBy, sorting }} />
          }
          return (
            <th key={name} scope="col" class={kind}>
              {kind === 'action' ? <span class="unseen">{name}</span> : name}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

type HeadProps = {
  readonly name: string
  readonly kind: string
  readonly sortsBy: string
  readonly sorting: Sorting
}

function SortingHead({ name, kind, sortsBy, sorting }: HeadProps) {
  const isSorted = sorting.by === sortsBy
  const direction = sorting.isAscending ? 'ascending' : 'descending'
  return (
    <th scope="col" class={kind} aria-sort={isSorted ? direction : undefined}>
      <button type="button" class="plain sort" onClick={() => sorting.onSort(sortsBy)}>
        {name}
        <span aria-hidden="true" class="direction">
          {isSorted ? (sorting.isAscending ? '↑' : '↓') : '↕'}
        </span>
      </button>
    </th>
  )
}
