// Makes the guide: static pages from the documents, with checked links and a search index. Run it
// with: npm run docs

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Assets, layOut } from './layout.ts'
import { type BrokenLink, base, type LinkTable, resolveLink, type Target } from './links.ts'
import { type Document, parse } from './markdown/blocks.ts'
import { type Heading, headingsOf, renderDocument } from './markdown/render.ts'
import { type Group, groups, type Page, unlistedPages } from './pages.ts'
import { type Entry, entriesOf } from './search-index.ts'

export type Site = {
  /** By the path of the file below /guide/. */
  readonly pages: ReadonlyMap<string, string>
  readonly entries: readonly Entry[]
  readonly brokenLinks: readonly BrokenLink[]
}

type Read = Page & {
  readonly url: string
  readonly title: string
  readonly document: Document
  readonly headings: readonly Heading[]
}

const here = fileURLToPath(new URL('./', import.meta.url))
const imageFolder = 'docs/images'
/** Documents of the source that are not in the guide. Their links are checked too. */
const unpublished = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'STYLE.md']

/** Builds the guide of a project into a folder; returns how many pages it has. */
export function build(root: string, target: string): number {
  const made = `${target}.new`
  rmSync(made, { recursive: true, force: true })
  const assets = writeAssets(made, root)
  const site = renderSite({ root, groups, unlisted: unlistedPages(root), assets })
  if (site.brokenLinks.length > 0) {
    rmSync(made, { recursive: true, force: true })
    throw new Error(site.brokenLinks.map(messageOf).join('\n'))
  }
  for (const [path, html] of site.pages) {
    mkdirSync(dirname(join(made, path)), { recursive: true })
    writeFileSync(join(made, path), html)
  }
  // A service that reads the folder meanwhile finds the old pages or the new ones.
  rmSync(target, { recursive: true, force: true })
  renameSync(made, target)
  return site.pages.size
}

export function messageOf({ source, line, href, message }: BrokenLink): string {
  return `${source}:${line}: broken link (${href}): ${message}`
}

type Sources = {
  readonly root: string
  readonly groups: readonly Group[]
  readonly unlisted: readonly Page[]
  readonly assets: Omit<Assets, 'search'> & { writeSearch(text: string): string }
}

function renderSite({ root, groups, unlisted, assets }: Sources): Site {
  const listed = groups.flatMap(({ pages }) => pages)
  const read = [...listed, ...unlisted].map((page) => readPage(root, page))
  const table: LinkTable = { root, targets: targetsOf(read), images: assets.images }
  const brokenLinks: BrokenLink[] = []
  const bodyOf = ({ source, document }: Read) =>
    renderDocument(document, (href, line) => {
      const link = resolveLink(table, source, href)
      if (!('problem' in link)) return link
      brokenLinks.push({ source, line, href, message: link.problem })
      return { href }
    })
  const bodies = read.map(bodyOf)
  for (const source of unpublished) bodyOf(readPage(root, { path: source, source, name: source }))
  const entries = read.flatMap((page) => entriesOf(page, page.document.blocks, page.headings))
  const withSearch = { ...assets, search: assets.writeSearch(JSON.stringify(entries)) }
  const pages = read.map((page, at): [string, string] => {
    const html = layOut({ ...page, body: bodies[at]!, groups, assets: withSearch })
    return [`${page.path === '' ? 'index' : page.path}.html`, html]
  })
  return { pages: new Map(pages), entries, brokenLinks }
}

function readPage(root: string, page: Page): Read {
  const text = readFileSync(join(root, page.source), 'utf8')
  try {
    const document = parse(page.section === undefined ? text : sectionOf(text, page.section))
    const headings = headingsOf(document.blocks)
    const title = headings.find(({ level }) => level === 1)?.text
    if (title === undefined) throw new Error('the document has no title')
    return { ...page, url: urlOf(page), title, document, headings }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${page.source}: ${reason}`, { cause: error })
  }
}

/** One section of a document; its heading becomes the title. Lines keep their numbers. */
function sectionOf(text: string, section: string): string {
  const lines = text.split('\n')
  const start = lines.indexOf(`## ${section}`)
  if (start === -1) throw new Error(`there is no section "${section}"`)
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '))
  const end = length === -1 ? lines.length : start + 1 + length
  return [...lines.slice(0, start).fill(''), `# ${section}`, ...lines.slice(start + 1, end)].join(
    '\n',
  )
}

function urlOf({ path }: Page): string {
  return path === '' ? base : `${base}/${path}`
}

function targetsOf(read: readonly Read[]): Map<string, readonly Target[]> {
  const targets = new Map<string, Target[]>()
  for (const { source, section, url, headings } of read) {
    const ids = new Set(headings.map(({ id }) => id))
    const target = { url, ids, isPart: section !== undefined }
    targets.set(source, [...(targets.get(source) ?? []), target])
  }
  return targets
}

/** In this order: later ones change what earlier ones say. */
const styles = ['base.css', 'header.css', 'columns.css', 'text.css', 'narrow.css']

/** Their names have a hash of their content, so that browsers may keep them forever. */
function writeAssets(folder: string, root: string): Sources['assets'] {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const write = (name: string, bytes: string | Buffer) => {
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 10)
    const hashed = `assets/${basename(name, extname(name))}-${hash}${extname(name)}`
    writeFileSync(join(folder, hashed), bytes)
    return `${base}/${hashed}`
  }
  const rank = write('rank.js', scriptOf('rank.ts'))
  const script = scriptOf('guide.ts').replace('./rank.ts', rank)
  const image = `${imageFolder}/console.png`
  const font = readFileSync(join(root, 'console/src/styles/fonts/inter-latin.woff2'))
  const style = styles
    .map((name) => readFileSync(join(here, 'browser/styles', name), 'utf8'))
    .join('')
  return {
    script: write('guide.js', script),
    icon: write('mark.svg', readFileSync(join(root, 'console/public/mark.svg'))),
    style: write('guide.css', style.replace('./inter-latin.woff2', write('inter.woff2', font))),
    images: new Map([[image, write('console.png', readFileSync(join(root, image)))]]),
    writeSearch: (text) => write('search.json', text),
  }
}

function scriptOf(name: string): string {
  return stripTypeScriptTypes(readFileSync(join(here, 'browser', name), 'utf8'))
}

if (import.meta.main) {
  try {
    const root = fileURLToPath(new URL('../', import.meta.url))
    const target = join(here, 'dist')
    console.log(`${build(root, target)} pages in ${target}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
