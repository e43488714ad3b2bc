// Reads CSV as RFC 4180 describes it.

/** Of each line its cells; null for one that is empty and not in quotes. */
export function cellsIn(text: string): (string | null)[][] {
  const lines: (string | null)[][] = []
  let line: (string | null)[] = []
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    line.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? null : plain!))
    if (end === ',') continue
    lines.push(line)
    line = []
  }
  return lines
}
