// The core is arithmetic: the same commands give the same state on every machine and every day.
// So nothing in it may ask the world: no clock, no randomness, no process, nothing that waits.

import { scan } from './scan.ts'
import { lineAt, type Rule } from './violation.ts'

const asks = [
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
const worldly = new RegExp(`\\b(?:${asks.join('|')})\\b`, 'g')

export const checkPurity: Rule = (path, text) => {
  if (!path.startsWith('src/core/') || path.endsWith('.test.ts')) return []
  const { code } = scan(text)
  return [...code.matchAll(worldly)].map((match) => {
    const message = `purity: "${match[0]}" asks the world; let the caller bring it as an argument.`
    return { path, line: lineAt(text, match.index), message }
  })
}
