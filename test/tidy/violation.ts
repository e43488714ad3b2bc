// The result of a tidy rule. A rule is a pure function of a file's path and text, so that it can be
// tested on examples as well as on the project.

import assert from 'node:assert/strict'

export type Violation = { readonly path: string; readonly line: number; readonly message: string }
export type Rule = (path: string, text: string) => Violation[]

/** Fails with one line per violation. */
export function assertNone(violations: readonly Violation[]): void {
  if (violations.length === 0) return
  const lines = violations.map(({ path, line, message }) => `  ${path}:${line} ${message}`)
  assert.fail(`${violations.length} found by this rule:\n${lines.join('\n')}\n`)
}

/** The line of a position in the text, counted from 1. */
export function lineAt(text: string, position: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) {
    line++
  }
  return line
}
