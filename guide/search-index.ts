// The search index: one entry for each section of each page. It has words and the beginning of the
// text, and not the text, so that it stays small.

import type { Block } from './markdown/blocks.ts'
import { plainText } from './markdown/inline.ts'
import type { Heading } from './markdown/render.ts'

/** Short names, because they are repeated in every entry. */
export type Entry = {
  /** Address. */
  readonly u: string
  /** Title of the page. */
  readonly t: string
  /** Heading of the section; empty for the beginning of a page. */
  readonly h: string
  /** Beginning of the text. */
  readonly s: string
  /** The words of the section that are not in its title, heading or beginning. */
  readonly w: string
}

const beginningMax = 140
const wordsMax = 400

type Section = { heading: Heading | null; text: string[] }

export function entriesOf(
  page: { readonly url: string; readonly title: string },
  blocks: readonly Block[],
  headings: readonly Heading[],
): Entry[] {
  return sectionsOf(blocks, headings).map(({ heading, text }) => {
    const whole = plainText(text.join(' ')).trim()
    const s = whole.length <= beginningMax ? whole : `${whole.slice(0, beginningMax).trimEnd()}…`
    const u = heading === null ? page.url : `${page.url}#${heading.id}`
    const h = heading?.text ?? ''
    const shown = new Set(wordsOf(`${page.title} ${h} ${s}`))
    const more = wordsOf(whole).filter((word) => !shown.has(word))
    return { u, t: page.title, h, s, w: more.slice(0, wordsMax).join(' ') }
  })
}

function sectionsOf(blocks: readonly Block[], headings: readonly Heading[]): Section[] {
  const left = [...headings]
  const sections: Section[] = [{ heading: null, text: [] }]
  for (const block of blocks) {
    if (block.kind === 'heading') {
      const heading = left.shift()!
      if (heading.level > 1) sections.push({ heading, text: [] })
    } else sections.at(-1)!.text.push(textOf(block))
  }
  return sections
}

function textOf(block: Exclude<Block, { kind: 'heading' }>): string {
  if (block.kind === 'list') return block.items.map(({ text }) => text).join(' ')
  if (block.kind === 'table') return block.rows.map((row) => row.join(' ')).join(' ')
  return block.text
}

/** Each word once, in lower case. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])]
}
