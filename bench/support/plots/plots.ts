// The plots of one report. They are written next to it when it is saved; a report that is only
// printed links to none.

import { writeFileSync } from 'node:fs'

export class Plots {
  /** The start of their file names; null if the report is not saved. */
  readonly #stem: string | null
  readonly #made: { readonly name: string; readonly svg: string }[] = []

  constructor(stem: string | null) {
    this.#stem = stem
  }

  /** Returns the lines of the report that show the plot. */
  add(name: string, altText: string, svg: string): string[] {
    if (this.#stem === null) return []
    const file = `${this.#stem}-${name}.svg`
    this.#made.push({ name: file, svg })
    return [`![${altText}](${file})`, '']
  }

  save(folder: string): void {
    for (const { name, svg } of this.#made) writeFileSync(`${folder}/${name}`, svg)
  }
}
