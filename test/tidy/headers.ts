// Every source file starts with a comment of one to four lines about its contents.

import { isGenerated, isTypeScript } from './paths.ts'
import type { Rule } from './violation.ts'

const headerLinesMax = 4

export const checkHeaders: Rule = (path, text) => {
  if (!isTypeScript(path) || !path.startsWith('src/') || isGenerated(path)) return []

  const header = openingComment(text)
  if (!/[a-z]/i.test(header)) {
    const message =
      'headers: the file starts without a comment; describe its contents in a sentence.'
    return [{ path, line: 1, message }]
  }
  const count = header.split('\n').length
  if (count <= headerLinesMax) return []
  const excess = `the opening comment has ${count} lines, at most ${headerLinesMax}`
  const message = `headers: ${excess}; shorten it.`
  return [{ path, line: 1, message }]
}

/** Without its last line end; empty if the file starts with anything else. */
function openingComment(text: string): string {
  const comment = text.startsWith('/*') ? /^\/\*[\s\S]*?\*\// : /^\/\/.*(?:\n\/\/.*)*/
  return comment.exec(text)?.[0] ?? ''
}
