// Parts of a Markdown table.

export function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

export function count(number: number): string {
  return Math.round(number).toLocaleString('en-US')
}
