// The instructions of a Dockerfile, by stage, and the files that .dockerignore lets in: as much of
// the formats as those in this project use.

import { matchesGlob } from 'node:path'

export type Instruction = { readonly name: string; readonly rest: string }

export type Stage = {
  readonly image: string
  /** null for the last one. */
  readonly name: string | null
  readonly instructions: readonly Instruction[]
}

export function stagesOf(text: string): readonly Stage[] {
  const stages: (Stage & { readonly instructions: Instruction[] })[] = []
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (name === '') throw new Error(`not an instruction: ${line}`)
    if (name === 'FROM') {
      const [, image = '', stage = null] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
      stages.push({ image, name: stage, instructions: [] })
    } else {
      const stage = stages.at(-1)
      if (stage === undefined) throw new Error(`before the first FROM: ${line}`)
      stage.instructions.push({ name, rest })
    }
  }
  return stages
}

/** A command as a list of texts, as CMD and HEALTHCHECK have it. */
export function commandIn(rest: string): readonly string[] {
  const list: unknown = JSON.parse(rest.slice(rest.indexOf('[')))
  if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return list
  throw new Error(`not a list of texts: ${rest}`)
}

/** The variables of an ENV instruction. */
export function variablesIn(rest: string): Readonly<Record<string, string>> {
  return Object.fromEntries(rest.split(/\s+/).map((each) => each.split('=', 2)))
}

/** Of these files, those that are sent to Docker: the last pattern that matches one decides. */
export function contextOf(files: readonly string[], ignore: string): readonly string[] {
  const lines = ignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const patterns = lines.map((line) => ({
    glob: line.replace(/^!/, '').replace(/^\//, ''),
    isKept: line.startsWith('!'),
  }))
  return files.filter((file) => {
    const last = patterns.findLast(
      ({ glob }) => glob === '**' || matchesGlob(file, glob) || matchesGlob(file, `${glob}/**`),
    )
    return last?.isKept ?? true
  })
}
