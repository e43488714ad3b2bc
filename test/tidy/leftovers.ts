// Finds leftovers of development: notes, skipped tests, silenced checks. Strings are ignored, so
// that a rule and its tests can name them.

import { isGenerated, isTypeScript } from './paths.ts'
import { scan } from './scan.ts'
import { lineAt, type Rule } from './violation.ts'

type Leftover = {
  readonly where: 'code' | 'comments'
  readonly pattern: RegExp
  readonly advice: string
  /** Limits the rule to paths that match; everywhere when absent. */
  readonly only?: RegExp
}

const leftovers: readonly Leftover[] = [
  {
    where: 'comments',
    pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/g,
    advice: 'open an issue, or do it now',
  },
  {
    where: 'comments',
    pattern: /@ts-(?:ignore|expect-error|nocheck)\b/g,
    advice: 'make the types fit',
  },
  {
    where: 'comments',
    pattern: /\bbiome-ignore(?![-\w]*\s+\S+?:\s*\w+\s+\S)[-\w]*/g,
    advice: 'give the reason after a colon, in more than one word',
  },
  {
    where: 'code',
    pattern: /\.(?:only|skip|todo)\s*\(|\btodo\s*:/g,
    advice: 'run every test, or delete it',
  },
  {
    where: 'code',
    pattern: /\bdebugger\b/g,
    advice: 'remove it',
  },
  {
    where: 'code',
    pattern: /(?::|\bas)\s*any\b(?!\s*[.(])/g,
    advice: 'use a precise type, or unknown with a check',
  },
  {
    where: 'code',
    pattern: /\bconsole\s*\.\s*\w+\s*\(/g,
    advice: 'use the log of src/ops',
    only: /^src\//,
  },
]

export const checkLeftovers: Rule = (path, text) => {
  if (!isTypeScript(path) || isGenerated(path)) return []
  const scanned = scan(text)
  return leftovers
    .filter(({ only }) => only === undefined || only.test(path))
    .flatMap(({ where, pattern, advice }) =>
      [...scanned[where].matchAll(pattern)].map((match) => {
        const found = match[0].replace(/\s+/g, ' ')
        const message = `leftovers: "${found}" is not allowed; ${advice}.`
        return { path, line: lineAt(text, match.index), message }
      }),
    )
}
