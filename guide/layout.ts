// The frame of a page: header with search, list of pages, headings of the page, and its neighbours.

import { base } from './links.ts'
import { escapeHtml } from './markdown/inline.ts'
import type { Heading } from './markdown/render.ts'
import type { Group } from './pages.ts'

export type Assets = {
  readonly script: string
  readonly style: string
  readonly icon: string
  readonly search: string
  readonly images: ReadonlyMap<string, string>
}

export type Shown = {
  readonly url: string
  readonly title: string
  readonly headings: readonly Heading[]
  readonly body: string
  readonly groups: readonly Group[]
  readonly assets: Assets
}

export function layOut({ url, title, headings, body, groups, assets }: Shown): string {
  const name = escapeHtml(url === base ? 'Outcry guide' : `${title} - Outcry guide`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body data-search="${assets.search}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${base}">Outcry <span>guide</span></a>
<a class="to-pages" href="#pages">All pages</a>
<form role="search" class="search" hidden>
<label for="search" class="unseen">Search the guide</label>
<input id="search" type="search" placeholder="Search" maxlength="100" autocomplete="off"
 role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list">
<div id="results" role="listbox" aria-label="Search results" hidden></div>
<p id="search-status" class="unseen" role="status"></p>
</form>
<nav class="elsewhere" aria-label="Service">
<a href="/docs">API reference</a>
<a href="/console">Console</a>
</nav>
</header>
<div class="columns">
<main id="content" tabindex="-1">
${body}
${neighbours(url, groups)}
</main>
${contents(headings)}
<nav id="pages" class="pages" aria-label="Pages">
${groups.map((group) => groupOf(group, url)).join('\n')}
</nav>
</div>
</body>
</html>
`
}

function groupOf({ name, pages }: Group, url: string): string {
  const lines = pages.map((page) => {
    const to = urlOf(page.path)
    const current = to === url ? ' aria-current="page"' : ''
    return `<li><a href="${to}"${current}>${escapeHtml(page.name)}</a></li>`
  })
  return `<p class="group">${escapeHtml(name)}</p>\n<ul>\n${lines.join('\n')}\n</ul>`
}

/** Of a short page there is nothing to list. */
function contents(headings: readonly Heading[]): string {
  const listed = headings.filter(({ level }) => level === 2 || level === 3)
  if (listed.length < 3) return ''
  const lines = listed.map(
    ({ level, id, text }) =>
      `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page">
<p class="group">On this page</p>
<ul>
${lines.join('\n')}
</ul>
</nav>`
}

function neighbours(url: string, groups: readonly Group[]): string {
  const pages = groups.flatMap((group) => group.pages)
  const at = pages.findIndex(({ path }) => urlOf(path) === url)
  if (at === -1) return ''
  const link = (relation: string, label: string, page: (typeof pages)[number] | undefined) =>
    page === undefined
      ? ''
      : `<a rel="${relation}" href="${urlOf(page.path)}"><span>${label}</span>
${escapeHtml(page.name)}</a>`
  return `<nav class="neighbours" aria-label="Neighbouring pages">
${link('prev', 'Previous', pages[at - 1])}
${link('next', 'Next', pages[at + 1])}
</nav>`
}

function urlOf(path: string): string {
  return path === '' ? base : `${base}/${path}`
}
