// Limits the length of files, functions and lines.

import { findFunctions } from './functions.ts'
import { isGenerated, isInCodeFolder, isMigration, isTest, isTypeScript } from './paths.ts'
import { scan } from './scan.ts'
import { lineAt, type Rule, type Violation } from './violation.ts'

export const fileLinesMax = 400
export const functionLinesMax = 100
export const lineColumnsMax = 100

export const checkSizes: Rule = (path, text) => {
  if (!isTypeScript(path) || !isInCodeFolder(path)) return []
  if (isGenerated(path) || isMigration(path)) return []
  return [...longFile(path, text), ...longFunctions(path, text), ...longLines(path, text)]
}

function longFile(path: string, text: string): Violation[] {
  const count = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  if (count <= fileLinesMax) return []
  const message = `sizes: the file has ${count} lines, at most ${fileLinesMax}; split it.`
  return [{ path, line: fileLinesMax + 1, message }]
}

function longFunctions(path: string, text: string): Violation[] {
  return findFunctions(scan(text).code).flatMap(({ name, start, end, isSuite }) => {
    // The callback of a suite is a list of tests; each test is measured by itself.
    if (isSuite && isTest(path)) return []
    const line = lineAt(text, start)
    const count = lineAt(text, end) - line + 1
    if (count <= functionLinesMax) return []
    const excess = `${name} has ${count} lines, at most ${functionLinesMax}`
    const message = `sizes: ${excess}; extract a part of it.`
    return [{ path, line, message }]
  })
}

/** URLs cannot be broken, so they do not count. */
function longLines(path: string, text: string): Violation[] {
  return text.split('\n').flatMap((content, index) => {
    const columns = [...content.replace(/https?:\/\/\S+/g, '')].length
    if (columns <= lineColumnsMax) return []
    const message = `sizes: the line has ${columns} columns, at most ${lineColumnsMax}; break it.`
    return [{ path, line: index + 1, message }]
  })
}
