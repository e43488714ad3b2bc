// Finds what a TypeScript file imports: static imports, re-exports, dynamic imports and types.

import { scan } from './scan.ts'
import { lineAt } from './violation.ts'

export type Import = {
  /** The text between the quotes, or undefined when it is computed and cannot be known. */
  readonly specifier: string | undefined
  /** True for `import type` and `export type`, which leave nothing behind at run time. */
  readonly isTypeOnly: boolean
  readonly line: number
}

// `import a from`, `export * from`, over several lines too. No second keyword may stand in between,
// or an `export type` without a semicolon would lend its `type` to the import below it.
const withFrom =
  /(?<![.\w$])(?:import|export)\b((?:(?!\b(?:import|export)\b)[^'"`])*?)\bfrom\s*(?=['"])/g
const withoutNames = /(?<![.\w$])import\s*(?=['"])/g
const dynamic = /(?<![.\w$])import\s*\(\s*/g

/** In the order of the file. */
export function findImports(text: string): Import[] {
  const { code } = scan(text)
  const found: Import[] = []
  for (const pattern of [withFrom, withoutNames, dynamic]) {
    for (const match of code.matchAll(pattern)) {
      const isTypeOnly = /^\s+type\s+[\w$*{]/.test(match[1] ?? '')
      const specifier = literalAt(text, code, match.index + match[0].length)
      found.push({ specifier, isTypeOnly, line: lineAt(text, match.index) })
    }
  }
  return found.sort((a, b) => a.line - b.line)
}

/** The literal whose opening quote stands here, if a literal is all that stands here. */
function literalAt(text: string, code: string, start: number): string | undefined {
  const quote = text[start]!
  if (!`'"\``.includes(quote)) return undefined
  const end = code.indexOf(quote, start + 1)
  const literal = text.slice(start + 1, end)
  const isWhole = !/^\s*\+/.test(code.slice(end + 1))
  return isWhole && !literal.includes('${') ? literal : undefined
}
