// Parses the part of Markdown that the documents use into blocks. Anything else is an error, so
// that no page is shown with a passage that was misread.

export type Block =
  | {
      readonly kind: 'heading'
      readonly level: number
      readonly text: string
      readonly line: number
    }
  | { readonly kind: 'paragraph'; readonly text: string; readonly line: number }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | {
      readonly kind: 'list'
      readonly isOrdered: boolean
      readonly items: readonly { readonly text: string; readonly line: number }[]
    }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[]; readonly line: number }

export type Document = {
  readonly blocks: readonly Block[]
  /** Targets of links such as [text][name]. */
  readonly targets: ReadonlyMap<string, string>
}

/** A passage that is not understood; the message starts with its line. */
export class MarkdownError extends Error {
  override readonly name = 'MarkdownError'
}

const item = /^(?:[-*]|(\d{1,3})\.) +(.*)$/
const target = /^\[([^\]]+)\]: +(\S+)$/
const startsBlock = /^(?:#{1,6} |```|\||(?:[-*]|\d{1,3}\.) |<!--|$)/

export function parse(text: string): Document {
  return new Parser(text).parse()
}

class Parser {
  readonly #lines: readonly string[]
  readonly #blocks: Block[] = []
  readonly #targets = new Map<string, string>()
  #at = 0

  constructor(text: string) {
    this.#lines = text.split('\n')
  }

  parse(): Document {
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at]!
      if (line === '' || /^<!--.*-->$/.test(line)) this.#at += 1
      else if (/^#{1,6} /.test(line)) this.#heading(line)
      else if (line.startsWith('```')) this.#code(line)
      else if (line.startsWith('|')) this.#table()
      else if (item.test(line)) this.#list()
      else if (target.test(line)) this.#target(line)
      else this.#paragraph(line)
    }
    return { blocks: this.#blocks, targets: this.#targets }
  }

  #heading(line: string): void {
    const [, marks = '', text = ''] = /^(#+) +(.*?)$/.exec(line) ?? []
    this.#blocks.push({ kind: 'heading', level: marks.length, text, line: this.#at + 1 })
    this.#at += 1
  }

  #code(line: string): void {
    const end = this.#lines.indexOf('```', this.#at + 1)
    if (end === -1) this.#fail('the block of code has no end')
    const text = this.#lines.slice(this.#at + 1, end).join('\n')
    this.#blocks.push({ kind: 'code', language: line.slice(3), text })
    this.#at = end + 1
  }

  #table(): void {
    const line = this.#at + 1
    const rows: string[][] = []
    for (; this.#lines[this.#at]?.startsWith('|'); this.#at += 1) {
      const cells = this.#lines[this.#at]!.split(/(?<!\\)\|/)
      rows.push(cells.slice(1, -1).map((cell) => cell.trim().replaceAll('\\|', '|')))
    }
    const [header, rule, ...body] = rows
    if (
      header === undefined ||
      rule === undefined ||
      !rule.every((cell) => /^:?-+:?$/.test(cell))
    ) {
      this.#fail('the second line of a table must be |---|---|')
    }
    const uneven = rows.find((row) => row.length !== header.length)
    if (uneven !== undefined) this.#fail(`the table has a row of ${uneven.length} cells`)
    this.#blocks.push({ kind: 'table', rows: [header, ...body], line })
  }

  #list(): void {
    const isOrdered = /^\d/.test(this.#lines[this.#at]!)
    const items: { text: string; line: number }[] = []
    while (this.#at < this.#lines.length) {
      const found = item.exec(this.#lines[this.#at]!)
      if (found === null || (found[1] !== undefined) !== isOrdered) break
      const line = this.#at + 1
      this.#at += 1
      items.push({ text: [found[2], ...this.#continuation()].join('\n'), line })
      if (this.#lines[this.#at] === '' && item.test(this.#lines[this.#at + 1] ?? '')) this.#at += 1
    }
    this.#blocks.push({ kind: 'list', isOrdered, items })
  }

  /** The further lines of an item, which are indented. */
  #continuation(): string[] {
    const lines: string[] = []
    for (; /^ +\S/.test(this.#lines[this.#at] ?? ''); this.#at += 1) {
      const line = this.#lines[this.#at]!.trim()
      if (startsBlock.test(line)) this.#fail('an item may only contain text')
      lines.push(line)
    }
    return lines
  }

  #target(line: string): void {
    const [, name = '', url = ''] = target.exec(line) ?? []
    this.#targets.set(name, url)
    this.#at += 1
  }

  #paragraph(first: string): void {
    if (/^(?:>|<|\s)/.test(first)) this.#fail(`not understood: ${first.slice(0, 40)}`)
    const line = this.#at + 1
    const lines: string[] = []
    for (; !startsBlock.test(this.#lines[this.#at] ?? ''); this.#at += 1) {
      lines.push(this.#lines[this.#at]!)
    }
    this.#blocks.push({ kind: 'paragraph', text: lines.join('\n'), line })
  }

  #fail(message: string): never {
    throw new MarkdownError(`line ${this.#at + 1}: ${message}`)
  }
}
