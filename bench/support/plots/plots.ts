// The plots of one report. They are written beside it when it is saved; otherwise nobody could
// follow a link to them, so the report then has none.

import { writeFileSync } from 'node:fs'

export class Plots {
  /** What the names of their files begin with; null where nothing is saved. */
  readonly #stem: string | null
  readonly #made: { readonly name: string; readonly svg: string }[] = []

  constructor(stem: string | null) {
    this.#stem = stem
  }

  /** The lines of the report that show it. The words are for those who do not see it. */
  add(name: string, words: string, svg: string): string[] {
    if (this.#stem === null) return []
    const file = `${this.#stem}-${name}.svg`
    this.#made.push({ name: file, svg })
    return [`![${words}](${file})`, '']
  }

  save(folder: string): void {
    for (const { name, svg } of this.#made) writeFileSync(`${folder}/${name}`, svg)
  }
}
