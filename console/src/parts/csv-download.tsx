// A button that saves a list with its filters as one CSV file. It shows how many rows it has while
// it runs, and ends with its page.

import { useEffect, useRef, useState } from 'preact/hooks'
import { explain } from '../explain.ts'
import { grouped } from '../figures.ts'
import { csvFileOf, csvRowsMax } from './csv-file.ts'

type Props = {
  /** What the list has, in lower case; the file begins with it. */
  readonly name: string
  /** The texts of all pages, in order. */
  readonly pages: (options: { readonly signal: AbortSignal }) => AsyncIterable<string>
}

/** Long enough for a browser to ask where the file goes. */
const keptMs = 60_000

export function CsvDownload({ name, pages }: Props) {
  const [rows, setRows] = useState<number | null>(null)
  const [note, setNote] = useState('')
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const download = async () => {
    if (running.current !== null) return
    running.current = new AbortController()
    const { signal } = running.current
    setRows(0)
    setNote('')
    try {
      const file = await csvFileOf(pages({ signal }), setRows)
      if (signal.aborted) return
      save(file.parts, `${name}-${new Date().toISOString().slice(0, 10)}.csv`)
      const count = grouped(String(csvRowsMax))
      if (file.isCut) setNote(`The file has the first ${count} rows. Filter the list for others.`)
    } catch (error) {
      if (signal.aborted) return
      setNote(explain(error))
    }
    running.current = null
    setRows(null)
  }
  return (
    <span class="csv-download">
      <button type="button" class="quiet" aria-disabled={rows !== null} onClick={download}>
        {rows === null ? 'Download CSV' : `${grouped(String(rows))} rows …`}
        <span class="unseen">{` of ${name}`}</span>
      </button>
      <small role="status">{note}</small>
    </span>
  )
}

function save(parts: readonly string[], name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([...parts], { type: 'text/csv' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs)
}
