// Gathers the pages of a list into the text of one CSV file, up to a limit of rows.

export const csvRowsMax = 10_000

export type CsvFile = {
  readonly parts: readonly string[]
  readonly rows: number
  /** Whether the list goes on after the last row of the file. */
  readonly isCut: boolean
}

/** The first page starts with the line of names, the others have only rows. */
export async function csvFileOf(
  pages: AsyncIterable<string>,
  onRows: (rows: number) => void,
  rowsMax = csvRowsMax,
): Promise<CsvFile> {
  const parts: string[] = []
  let lines = 0
  for await (const page of pages) {
    if (lines > rowsMax) return { parts, rows: lines - 1, isCut: true }
    parts.push(page)
    lines += linesIn(page)
    onRows(lines - 1)
  }
  return { parts, rows: Math.max(0, lines - 1), isCut: false }
}

/** A text in quotes may have line breaks of its own. */
function linesIn(page: string): number {
  return page.replace(/"[^"]*"/g, '').split('\n').length - 1
}
