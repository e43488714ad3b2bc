// Finds circles of imports: files that import each other, directly or through others. Imports of
// types count, because two files that need each other's types cannot be read one by one.

import { posix } from 'node:path'
import { findImports } from './imports.ts'
import { isGenerated, isTypeScript } from './paths.ts'
import type { Violation } from './violation.ts'

export type SourceFile = { readonly path: string; readonly text: string }

/** One violation for each circle, at the import that closes it. */
export function findCircles(files: Iterable<SourceFile>): Violation[] {
  const graph = new Map<string, readonly Edge[]>()
  for (const { path, text } of files) if (isChecked(path)) graph.set(path, edgesOf(path, text))
  const search = new Search(graph)
  for (const path of graph.keys()) search.visit(path)
  return search.violations
}

function isChecked(path: string): boolean {
  const isSource = /^(?:src|client|console\/src|bench|examples|demo)\//.test(path)
  return isSource && isTypeScript(path) && !isGenerated(path)
}

type Edge = { readonly target: string; readonly line: number }

function edgesOf(path: string, text: string): readonly Edge[] {
  return findImports(text).flatMap(({ specifier, line }) =>
    specifier !== undefined && /^\.\.?\//.test(specifier)
      ? [{ target: posix.join(posix.dirname(path), specifier), line }]
      : [],
  )
}

/** A depth-first search: an import of a file that is on the current path closes a circle. */
class Search {
  readonly violations: Violation[] = []
  readonly #graph: ReadonlyMap<string, readonly Edge[]>
  readonly #done = new Set<string>()
  readonly #path: string[] = []

  constructor(graph: ReadonlyMap<string, readonly Edge[]>) {
    this.#graph = graph
  }

  visit(path: string): void {
    if (this.#done.has(path)) return
    this.#path.push(path)
    for (const { target, line } of this.#graph.get(path) ?? []) {
      const start = this.#path.indexOf(target)
      if (start < 0) this.visit(target)
      else this.violations.push({ path, line, message: messageOf(this.#path.slice(start)) })
    }
    this.#path.pop()
    this.#done.add(path)
  }
}

function messageOf(circle: readonly string[]): string {
  const names = [...circle, circle[0]!].join(' -> ')
  return `circles: ${names}; move what they share into a file that imports none of them.`
}
