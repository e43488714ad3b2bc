// Keeps files, functions and lines short enough to be read in one go.

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
    // A suite's callback is a list of tests, not steps to follow; each test in it is measured.
    if (isSuite && isTest(path)) return []
    const line = lineAt(text, start)
    const count = lineAt(text, end) - line + 1
    if (count <= functionLinesMax) return []
    const excess = `${name} has ${count} lines, at most ${functionLinesMax}`
    const message = `sizes: ${excess}; give a part of it a name of its own.`
    return [{ path, line, message }]
  })
}

/** An address cannot be broken, so it does not count. */
function longLines(path: string, text: string): Violation[] {
  return text.split('\n').flatMap((content, index) => {
    const columns = [...content.replace(/https?:\/\/\S+/g, '')].length
    if (columns <= lineColumnsMax) return []
    const message = `sizes: the line has ${columns} columns, at most ${lineColumnsMax}; break it.`
    return [{ path, line: index + 1, message }]
  })
}
