// The report of the comparison with an earlier commit.

import type { CoreAgainstResult } from '../../core/against-commit.ts'
import type { AgainstResult } from '../../http/against-commit.ts'
import type { ComparedFigure } from '../compared-figure.ts'
import { count, row } from './table.ts'

export function reportAgainst({ options, commit, loads }: AgainstResult): string[] {
  return [
    `## Against commit ${commit}`,
    '',
    `The services of this checkout and of ${commit} ran beside each other, and got the orders of`,
    `an operator in ${options.rounds} pairs of rounds of ${options.measureMs / 1000} s each.`,
    'Medians, and the median of the ratios, the present to the earlier. The writer is the thread',
    'of that name; in a commit whose threads have no names, the busiest that the service started.',
    '',
    `| load | figure | ${commit} | present | ratio |`,
    '|---|---|---|---|---|',
    ...loads.flatMap(({ name, figures }) => figures.map((figure) => rowOf(name, figure))),
    '',
  ]
}

export function summarizeAgainst({ commit, loads }: AgainstResult): string {
  const lines = loads.map(({ name, figures }) => {
    const texts = figures.map((figure) => `${figure.name} ${ratioOf(figure)}`)
    return `  ${name}: ${texts.join('; ')}`
  })
  return [`Ratios to ${commit}:`, ...lines].join('\n')
}

export function reportCoreAgainst({ commit, pairs, figures }: CoreAgainstResult): string[] {
  return [
    `## Core against commit ${commit}`,
    '',
    `Medians over ${pairs} pairs of runs; each ratio is the median of those of the pairs.`,
    '',
    `| figure | ${commit} | present | ratio |`,
    '|---|---|---|---|',
    ...figures.map((figure) => row(cellsOf(figure))),
    '',
  ]
}

function rowOf(load: string, figure: ComparedFigure): string {
  return row([load, ...cellsOf(figure)])
}

function cellsOf(figure: ComparedFigure): string[] {
  const { name, earlier, present } = figure
  return [name, numberOf(earlier), numberOf(present), ratioOf(figure)]
}

function ratioOf({ ratio }: ComparedFigure): string {
  return ratio?.toFixed(2) ?? ''
}

function numberOf(value: number | null): string {
  if (value === null) return ''
  return value >= 1_000 ? count(value) : value.toFixed(2)
}
