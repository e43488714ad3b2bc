// The answer of a list as CSV, for a client that prefers it. The next page is a link in the header,
// because the rows leave no place for a cursor.

import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { assert } from '../../core/assert.ts'
import { csvType, prefersCsv } from '../http/accept.ts'
import { Done, type RouteAnswer, Streamed } from '../http/response.ts'
import { CsvTable, type RowSchema } from '../present/csv.ts'

/** The field of a page that has its rows, and the schema of a row. */
export type CsvList = { readonly field: string; readonly row: RowSchema }

type AsCsv = (answer: RouteAnswer, request: FastifyRequest) => RouteAnswer

/** The answers of a route with a list become CSV if the client prefers that. */
export function csvAnswers(list: CsvList | undefined): AsCsv {
  if (list === undefined) return (answer) => answer
  const table = new CsvTable(list.row)
  return (answer, request) => {
    if (!prefersCsv(request.headers.accept)) return answer
    if (answer instanceof Streamed) return streamed(table, rowsOf(answer))
    if (!(answer instanceof Done)) return answer
    const page = answer.data as Page
    const next = nextOf(page)
    if (next !== null) request.answerHeaders.push('link', linkTo(request.url, next))
    const rows = page[list.field]
    assert(Array.isArray(rows), 'a page has its rows in the field that the route names')
    return streamed(table, onePage(rows))
  }
}

type Page = Readonly<Record<string, unknown>> & {
  readonly hasMore: boolean
  readonly nextCursor?: string | null
  readonly lastSequence?: number
  readonly historyId?: string
}
type Parameters = Readonly<Record<string, string>>

/** What the next page changes in the query; null for the last page. Events have no cursor. */
function nextOf({ hasMore, nextCursor, lastSequence, historyId }: Page): Parameters | null {
  if (!hasMore) return null
  if (typeof nextCursor === 'string') return { cursor: nextCursor }
  assert(lastSequence !== undefined && historyId !== undefined, 'a page says where the next begins')
  return { since: String(lastSequence), historyId }
}

/** Only the query, so that it is right behind a proxy that changes the path, too. */
function linkTo(url: string, changes: Parameters): string {
  const query = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? '')
  for (const [name, value] of Object.entries(changes)) query.set(name, value)
  return `<?${query}>; rel="next"`
}

function rowsOf({ rows, pieces }: Streamed): AsyncIterable<readonly object[]> {
  assert(rows !== null, 'the answer is an array')
  pieces.destroy()
  return rows
}

async function* onePage(rows: readonly object[]) {
  yield rows
}

function streamed(table: CsvTable, pages: AsyncIterable<readonly object[]>): Streamed {
  const pieces = async function* () {
    yield table.header
    for await (const rows of pages) if (rows.length > 0) yield table.linesOf(rows)
  }
  return new Streamed(Readable.from(pieces(), { objectMode: false }), {
    type: `${csvType}; charset=utf-8; header=present`,
  })
}
