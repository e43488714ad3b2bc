// Moves between the pages of a list: the cursors of the pages before lead back.

import { totalOf } from '../figures.ts'
import type { Paged } from '../wire.ts'

type Props = {
  readonly page: Paged
  /** The rows of this page, and of a full one. */
  readonly shown: number
  readonly pageSize: number
  readonly cursors: readonly string[]
  readonly onCursors: (cursors: readonly string[]) => void
}

export function Pager({ page, shown, pageSize, cursors, onCursors }: Props) {
  const { total, hasMore, nextCursor } = page
  const from = cursors.length * pageSize
  return (
    <nav class="pager" aria-label="Pages">
      <span>
        {total === 0 ? '0' : `${from + 1}–${from + shown}`} of {totalOf(page)}
      </span>
      <button
        type="button"
        disabled={cursors.length === 0}
        onClick={() => onCursors(cursors.slice(0, -1))}
      >
        Previous
      </button>
      <button
        type="button"
        disabled={!hasMore || nextCursor === null}
        onClick={() => nextCursor !== null && onCursors([...cursors, nextCursor])}
      >
        Next
      </button>
    </nav>
  )
}
