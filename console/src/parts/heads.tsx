// The header row of a table.

/** A name, or a name and its classes: "number" aligns right, "wide-only" hides on phones. */
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
