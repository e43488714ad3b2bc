// A page of a list: the rows, the number of all rows, and the cursor of the next page.

import type { Page } from '../../store/store.ts'
import { Done } from '../http/response.ts'
import { cursorOf, type ListName } from '../parse/cursor.ts'

export function pageAnswer<Row>(
  name: ListName,
  page: Page<Row>,
  present: (row: Row) => { readonly id: string },
): Done {
  const items = page.rows.map(present)
  const last = items.at(-1)
  const { total, totalIsExact, hasMore } = page
  const nextCursor = hasMore && last !== undefined ? cursorOf(name, last.id) : null
  return new Done({ [name]: items, total, totalIsExact, hasMore, nextCursor })
}
