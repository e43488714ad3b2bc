// The core is deterministic: the same commands give the same state on every machine. It must not
// use a clock, randomness, the process, the locale, or anything asynchronous.

import { scan } from './scan.ts'
import { lineAt, type Rule } from './violation.ts'

const impure = [
  'Date',
  'Math\\s*\\.\\s*random',
  'process',
  'performance',
  'crypto',
  'globalThis',
  'fetch',
  'await',
  'async',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'Intl',
  'toLocaleString',
  'localeCompare',
]
const impurePattern = new RegExp(`\\b(?:${impure.join('|')})\\b`, 'g')

export const checkPurity: Rule = (path, text) => {
  if (!path.startsWith('src/core/') || path.endsWith('.test.ts')) return []
  const { code } = scan(text)
  return [...code.matchAll(impurePattern)].map((match) => {
    const message = `purity: "${match[0]}" is not deterministic; pass the value in as an argument.`
    return { path, line: lineAt(text, match.index), message }
  })
}
