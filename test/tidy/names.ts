// Names of files and folders say what is inside, in kebab-case. A drawer such as `utils` collects
// whatever nobody placed, so the words for drawers are not taken.

import { isGenerated, isInCodeFolder } from './paths.ts'
import type { Rule, Violation } from './violation.ts'

// Names that other tools look for.
const known = new Set(['README.md', 'CHANGELOG.md', 'LICENSE', 'index.html'])

// A drawer wherever it stands in a name.
const drawers = new Set([
  ...['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'lib', 'libs'],
  ...['types', 'base', 'impl', 'manager', 'managers', 'service', 'services'],
  ...['handler', 'handlers', 'processor', 'processors'],
])

// Part of a good name, but none by itself: `pair-index` says what it holds, `index` does not.
const drawersAlone = new Set(['index', 'shared'])

export const checkNames: Rule = (path) => {
  if (!isInCodeFolder(path) || isGenerated(path)) return []
  return path.split('/').flatMap((segment): Violation[] => {
    const complaint = complaintAbout(segment)
    return complaint === undefined ? [] : [{ path, line: 1, message: complaint }]
  })
}

function complaintAbout(segment: string): string | undefined {
  if (known.has(segment)) return undefined
  const parts = segment.replace(/^\./, '').split('.')
  if (!parts.every((part) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(part))) {
    return `names: "${segment}" is not kebab-case; write it like best-price.ts.`
  }
  const words = parts.flatMap((part) => part.split('-'))
  const drawer =
    words.find((word) => drawers.has(word)) ?? parts.find((part) => drawersAlone.has(part))
  if (drawer === undefined) return undefined
  return `names: "${drawer}" in "${segment}" is a drawer; name what the file holds.`
}
