// What a tidy rule answers with, and how a test shows it. A rule is a pure function of one file's
// path and text, so that it can be tried on planted text as well as on the real tree.

import assert from 'node:assert/strict'

export type Violation = { readonly path: string; readonly line: number; readonly message: string }
export type Rule = (path: string, text: string) => Violation[]

/** Fails with one clickable line per violation, so that a reader can walk down the list. */
export function assertNone(violations: readonly Violation[]): void {
  if (violations.length === 0) return
  const lines = violations.map(({ path, line, message }) => `  ${path}:${line} ${message}`)
  assert.fail(`${violations.length} found by this rule:\n${lines.join('\n')}\n`)
}

/** The line, counted from 1, on which a position of the text stands. */
export function lineAt(text: string, position: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) {
    line++
  }
  return line
}
