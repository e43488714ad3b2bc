// Streams arrays of any length: a page is read from the store and written before the next is read,
// at the pace of the client.

import { Readable } from 'node:stream'
import type { Serial } from '../../core/ids.ts'
import type { Page } from '../../store/store.ts'
import { Streamed } from '../http/response.ts'

export const rowsPerPiece = 1_000

export type RowSource<Row> = {
  readonly read: (after: number | null) => Promise<Page<Row>>
  readonly present: (row: Row) => object
}

/** An answer whose data is an array. */
export async function arrayAnswer<Row extends { readonly serial: Serial }>(
  source: RowSource<Row>,
): Promise<Streamed> {
  const rows = await pagesOf(source)
  return streamed(['{"success":true,"data":[', ']}'], itemsOf(rows), { rows })
}

/** An answer whose data has the fields of `totals`, and an array in the field `name`. */
export async function totalsAnswer<Row extends { readonly serial: Serial }>(
  totals: object,
  name: string,
  source: RowSource<Row>,
): Promise<Streamed> {
  const head = JSON.stringify(totals).slice(0, -1)
  const ends: Ends = [`{"success":true,"data":${head},"${name}":[`, ']}}']
  return streamed(ends, itemsOf(await pagesOf(source)), { kept: totals })
}

/** About how many characters of JSON are made and sent at once. */
const pieceLength = 64 * 1024

/** An answer whose data is an array of rows in memory. */
export function rowsAnswer<Row>(rows: readonly Row[], present: (row: Row) => object): Streamed {
  return streamed(['{"success":true,"data":[', ']}'], piecesOf(rows, present))
}

async function* piecesOf<Row>(rows: readonly Row[], present: (row: Row) => object) {
  let piece = ''
  for (const [at, row] of rows.entries()) {
    piece += (at === 0 ? '' : ',') + JSON.stringify(present(row))
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

type Ends = readonly [head: string, tail: string]
type Pages = AsyncIterable<readonly object[]>

function streamed(
  [head, tail]: Ends,
  items: AsyncIterable<string>,
  options: { readonly kept?: object; readonly rows?: Pages } = {},
): Streamed {
  const pieces = async function* () {
    yield head
    yield* items
    yield tail
  }
  return new Streamed(Readable.from(pieces(), { objectMode: false }), options)
}

async function* itemsOf(pages: Pages): AsyncIterable<string> {
  let separator = ''
  for await (const rows of pages) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',')
    separator = ','
  }
}

// The first page is read before anything is sent, so that a store fault is answered with 503.
async function pagesOf<Row extends { readonly serial: Serial }>({
  read,
  present,
}: RowSource<Row>): Promise<Pages> {
  const first = await read(null)
  const pages = async function* () {
    for (let page = first; page.rows.length > 0; ) {
      yield page.rows.map(present)
      if (!page.hasMore) return
      page = await read(page.rows.at(-1)!.serial)
    }
  }
  return pages()
}
