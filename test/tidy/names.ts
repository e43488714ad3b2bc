// Files and folders are named after their contents, in kebab-case. Vague words such as `utils` are
// not allowed, because such files collect unrelated code.

import { isGenerated, isInCodeFolder } from './paths.ts'
import type { Rule, Violation } from './violation.ts'

// Names that other tools require.
const known = new Set(['README.md', 'CHANGELOG.md', 'LICENSE', 'index.html'])

// Vague in any part of a name.
const vagueWords = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'misc',
  'lib',
  'libs',
  'types',
  'base',
  'impl',
  'manager',
  'managers',
  'service',
  'services',
  'handler',
  'handlers',
  'processor',
  'processors',
])

// Vague only as a whole name: `pair-index` is precise, `index` is not.
const vagueNames = new Set(['index', 'shared'])

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
  const vague =
    words.find((word) => vagueWords.has(word)) ?? parts.find((part) => vagueNames.has(part))
  if (vague === undefined) return undefined
  return `names: "${vague}" in "${segment}" is vague; name the contents of the file.`
}
