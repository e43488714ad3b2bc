// Iterates over lists that are served in pages.

export type Paged = {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

type Page = { readonly hasMore: boolean; readonly nextCursor: string | null }

export const pageSizeMax = 1_000

/** Yields every item of every page, in order; fetches each page when it is needed. */
export async function* eachItem<Answer extends Page, Item>(
  fetchPage: (query: Paged) => Promise<Answer>,
  itemsOf: (page: Answer) => readonly Item[],
  { cursor, limit = pageSizeMax }: Paged = {},
): AsyncGenerator<Item, void, undefined> {
  for (let next = cursor; ; ) {
    const page = await fetchPage({ cursor: next, limit })
    yield* itemsOf(page)
    if (!page.hasMore || page.nextCursor === null) return
    next = page.nextCursor
  }
}
