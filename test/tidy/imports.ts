// Finds the imports of a TypeScript file: static imports, re-exports, dynamic imports and types.

import { scan } from './scan.ts'
import { lineAt } from './violation.ts'

export type Import = {
  /** The text between the quotes, or undefined if it is computed. */
  readonly specifier: string | undefined
  readonly line: number
}

// `import a from` and `export * from`, also over several lines. There must be no second keyword in
// between, or an `export type` above would count as the start of the import below it.
const withFrom =
  /(?<![.\w$])(?:import|export)\b(?:(?!\b(?:import|export)\b)[^'"`])*?\bfrom\s*(?=['"])/g
const withoutNames = /(?<![.\w$])import\s*(?=['"])/g
const dynamic = /(?<![.\w$])import\s*\(\s*/g

/** In the order of the file. */
export function findImports(text: string): Import[] {
  const { code } = scan(text)
  const found: Import[] = []
  for (const pattern of [withFrom, withoutNames, dynamic]) {
    for (const match of code.matchAll(pattern)) {
      const specifier = literalAt(text, code, match.index + match[0].length)
      found.push({ specifier, line: lineAt(text, match.index) })
    }
  }
  return found.sort((a, b) => a.line - b.line)
}

/** The string literal that starts here, or undefined if there is a longer expression. */
function literalAt(text: string, code: string, start: number): string | undefined {
  const quote = text[start]!
  if (!`'"\``.includes(quote)) return undefined
  const end = code.indexOf(quote, start + 1)
  const literal = text.slice(start + 1, end)
  const isWhole = !/^\s*\+/.test(code.slice(end + 1))
  return isWhole && !literal.includes('${') ? literal : undefined
}
