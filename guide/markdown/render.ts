// Renders blocks as HTML, and lists the headings with the ids by which links find them.

import type { Block, Document } from './blocks.ts'
import { escapeHtml, type LinkTo, plainText, renderInline } from './inline.ts'

export type Heading = {
  readonly level: number
  /** As GitHub makes it, so that a link works in both places. */
  readonly id: string
  readonly text: string
}

export function headingsOf(blocks: readonly Block[]): Heading[] {
  const used = new Map<string, number>()
  return blocks.flatMap((block) => {
    if (block.kind !== 'heading') return []
    const text = plainText(block.text)
    const slug = slugOf(text)
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return [{ level: block.level, id: count === 0 ? slug : `${slug}-${count}`, text }]
  })
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** The line of a link is passed on, for errors. */
export type LinkAt = (href: string, line: number) => ReturnType<LinkTo>

export function renderDocument({ blocks, targets }: Document, linkAt: LinkAt): string {
  const headings = headingsOf(blocks)
  const inline = (text: string, line: number) =>
    renderInline(text, { targets, linkTo: (href) => linkAt(href, line) })
  let lastHeading = ''
  return blocks
    .map((block) => {
      if (block.kind === 'heading') {
        const { id, text } = headings.shift()!
        lastHeading = text
        return heading(block.level, id, inline(block.text, block.line))
      }
      if (block.kind === 'paragraph') return `<p>${inline(block.text, block.line)}</p>`
      if (block.kind === 'code') return code(block.language, block.text)
      if (block.kind === 'table') return table(block, inline, lastHeading)
      return list(block, inline)
    })
    .join('\n')
}

function heading(level: number, id: string, html: string): string {
  if (level === 1) return `<h1 id="${id}">${html}</h1>`
  const anchor = `<a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`
  return `<h${level} id="${id}">${html}${anchor}</h${level}>`
}

type Inline = (text: string, line: number) => string

/** What may be wider than the page scrolls by itself, also with the keyboard. */
function code(language: string, text: string): string {
  const label = escapeHtml(language === '' ? 'Example' : `Example, ${language}`)
  const className = language === 'text' ? 'code output' : 'code'
  const attributes = `class="${className}" tabindex="0" role="group" aria-label="${label}"`
  return `<pre ${attributes}><code>${escapeHtml(text)}</code></pre>`
}

function table({ rows, line }: Block & { kind: 'table' }, inline: Inline, about: string): string {
  const [header = [], ...body] = rows
  const cells = (row: readonly string[], tag: string) =>
    row.map((cell) => `<${tag}>${inline(cell, line)}</${tag}>`).join('')
  const label = escapeHtml(about === '' ? 'Table' : `Table: ${about}`)
  // A table without titles has an empty first row.
  const head = header.every((cell) => cell === '') ? '' : headRow(header, inline, line)
  const lines = body.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
  return `<div class="table" tabindex="0" role="group" aria-label="${label}"><table>${head}
<tbody>${lines}</tbody></table></div>`
}

/** An empty title is a plain cell: a header without text says nothing to a screen reader. */
function headRow(header: readonly string[], inline: Inline, line: number): string {
  const cells = header.map((cell) =>
    cell === '' ? '<td></td>' : `<th scope="col">${inline(cell, line)}</th>`,
  )
  return `<thead><tr>${cells.join('')}</tr></thead>`
}

function list({ isOrdered, items }: Block & { kind: 'list' }, inline: Inline): string {
  const tag = isOrdered ? 'ol' : 'ul'
  const lines = items.map(({ text, line }) => `<li>${inline(text, line)}</li>`)
  return `<${tag}>\n${lines.join('\n')}\n</${tag}>`
}
