// Turns the links of the documents, which work in a folder, into links of the guide, and reports
// those that lead nowhere.

import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parse } from './markdown/blocks.ts'
import type { Link } from './markdown/inline.ts'
import { headingsOf } from './markdown/render.ts'

export const base = '/guide'

/** What the service serves beside the guide. Documents link to it on the usual port. */
const served = new Set([
  '/docs',
  '/console',
  '/guide',
  '/openapi.json',
  '/asyncapi.json',
  '/metrics',
])
const usualAddress = /^http:\/\/127\.0\.0\.1:8084(?=\/)/

export type Target = {
  readonly url: string
  readonly ids: ReadonlySet<string>
  /** Whether the page shows only a section of the document. */
  readonly isPart: boolean
}

export type LinkTable = {
  readonly root: string
  /** By the path of the document. A document may be a page and also be shown in parts. */
  readonly targets: ReadonlyMap<string, readonly Target[]>
  /** Pictures of the guide, by the path of the file. */
  readonly images: ReadonlyMap<string, string>
}

export type BrokenLink = {
  readonly source: string
  readonly line: number
  readonly href: string
  readonly message: string
}

/** Returns the link, or what is wrong with it. */
export function resolveLink(
  table: LinkTable,
  source: string,
  href: string,
): Link | { readonly problem: string } {
  const local = href.replace(usualAddress, '')
  if (local.startsWith('/')) return resolveServed(local)
  if (/^(?:https?:|mailto:)/.test(href)) return { href }
  const [path = '', id] = href.split('#')
  const file = path === '' ? source : posix.join(posix.dirname(source), path)
  const image = table.images.get(file)
  if (image !== undefined) return { href: image }
  const targets = targetsOf(table, file)
  const whole = targets.find(({ isPart }) => !isPart)
  if (id === undefined)
    return whole === undefined ? resolveSource(table, file) : { href: whole.url }
  const target = targets.find(({ ids }) => ids.has(id))
  if (target !== undefined) return { href: path === '' ? `#${id}` : `${target.url}#${id}` }
  return whole === undefined ? resolveSource(table, file, id) : noHeading(file, id)
}

/** A link to a folder leads to its README. */
function targetsOf({ targets }: LinkTable, file: string): readonly Target[] {
  const path = file.replace(/\/$/, '')
  return targets.get(path) ?? targets.get(`${path}/README.md`) ?? []
}

function resolveServed(path: string): Link | { readonly problem: string } {
  const [route = ''] = path.split('#')
  return served.has(route) ? { href: path } : { problem: `the service has no page ${route}` }
}

function resolveSource(
  { root }: LinkTable,
  file: string,
  id?: string,
): Link | { readonly problem: string } {
  if (file.startsWith('..')) return { problem: `${file} is outside of the project` }
  if (!existsSync(join(root, file))) return { problem: `${file} does not exist` }
  if (id !== undefined && file.endsWith('.md')) {
    const { blocks } = parse(readFileSync(join(root, file), 'utf8'))
    if (!headingsOf(blocks).some((heading) => heading.id === id)) return noHeading(file, id)
  }
  return { sourcePath: file }
}

function noHeading(file: string, id: string) {
  return { problem: `${file} has no heading for #${id}` }
}
