// Links of the documents become links of the guide; those that lead nowhere are reported.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type LinkTable, resolveLink } from './links.ts'

const table: LinkTable = {
  root: fileURLToPath(new URL('../', import.meta.url)),
  images: new Map([['docs/images/console.png', '/guide/assets/console-1.png']]),
  targets: new Map([
    ['docs/operating.md', [{ url: '/guide/operating', ids: new Set(['audit']), isPart: false }]],
    ['docs/protocol/events.md', [{ url: '/guide/protocol/events', ids: new Set(), isPart: false }]],
    ['docs/decisions/README.md', [{ url: '/guide/decisions', ids: new Set(), isPart: false }]],
    ['STYLE.md', [{ url: '/guide/glossary', ids: new Set(['glossary']), isPart: true }]],
  ]),
}

for (const [source, href, expected] of [
  ['docs/protocol/events.md', '../operating.md#audit', { href: '/guide/operating#audit' }],
  ['docs/operating.md', '#audit', { href: '#audit' }],
  ['docs/operating.md', 'protocol/events.md', { href: '/guide/protocol/events' }],
  ['README.md', 'docs/decisions', { href: '/guide/decisions' }],
  ['README.md', 'docs/decisions/', { href: '/guide/decisions' }],
  ['README.md', 'STYLE.md#glossary', { href: '/guide/glossary#glossary' }],
  ['README.md', 'STYLE.md#tests', { sourcePath: 'STYLE.md' }],
  ['README.md', 'STYLE.md', { sourcePath: 'STYLE.md' }],
  ['README.md', 'docs/images/console.png', { href: '/guide/assets/console-1.png' }],
  ['docs/operating.md', '../src/main.ts', { sourcePath: 'src/main.ts' }],
  ['README.md', 'http://127.0.0.1:8084/docs', { href: '/docs' }],
  ['README.md', 'https://semver.org', { href: 'https://semver.org' }],
] as const) {
  test(`${href} in ${source} leads to ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(resolveLink(table, source, href), expected)
  })
}

for (const [source, href, problem] of [
  ['docs/operating.md', 'no-such.md', 'docs/no-such.md does not exist'],
  ['docs/operating.md', '#no-such', 'docs/operating.md has no heading for #no-such'],
  ['README.md', 'docs/operating.md#x', 'docs/operating.md has no heading for #x'],
  ['README.md', 'STYLE.md#no-such', 'STYLE.md has no heading for #no-such'],
  ['README.md', '../outside.md', '../outside.md is outside of the project'],
  ['README.md', 'http://127.0.0.1:8084/nothing', 'the service has no page /nothing'],
] as const) {
  test(`${href} in ${source} is reported`, () => {
    assert.deepEqual(resolveLink(table, source, href), { problem })
  })
}
