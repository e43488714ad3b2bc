// The heads of a table's columns.

/** A name, or a name and its class: "number" for figures, "wide-only" where a phone has no room. */
export type Column = string | readonly [name: string, kind: string]

export function Heads({ columns }: { columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const [name, kind] = typeof column === 'string' ? [column, ''] : column
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
