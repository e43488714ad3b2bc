// Every source file opens by saying what it holds, in one to four lines.

import { isGenerated, isTypeScript } from './paths.ts'
import type { Rule } from './violation.ts'

export const headerLinesMax = 4

export const checkHeaders: Rule = (path, text) => {
  if (!isTypeScript(path) || !path.startsWith('src/') || isGenerated(path)) return []

  const header = openingComment(text)
  if (!/[a-z]/i.test(header)) {
    const message = 'headers: the file opens without a comment; say in a sentence what it holds.'
    return [{ path, line: 1, message }]
  }
  const count = header.split('\n').length
  if (count <= headerLinesMax) return []
  const excess = `the opening comment has ${count} lines, at most ${headerLinesMax}`
  const message = `headers: ${excess}; keep what a reader would not guess.`
  return [{ path, line: 1, message }]
}

/** Without its last line end; empty when the file opens with anything else. */
function openingComment(text: string): string {
  const comment = text.startsWith('/*') ? /^\/\*[\s\S]*?\*\// : /^\/\/.*(?:\n\/\/.*)*/
  return comment.exec(text)?.[0] ?? ''
}
