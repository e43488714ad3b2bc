// The README and continuous integration must use the same test command.

import type { Violation } from './violation.ts'

const testCommand = 'npm ci && npm test'
const steps = testCommand.split(' && ')

export type Texts = { readonly readme: string | undefined; readonly ciRun: string | undefined }

export function checkTestCommand({ readme, ciRun }: Texts): Violation[] {
  const violations: Violation[] = []
  if (!fencedLines(readme ?? '').includes(testCommand)) {
    const message = `test-command: no fenced block has the line "${testCommand}"; add it.`
    violations.push({ path: 'README.md', line: 1, message })
  }
  const commands = (ciRun ?? '').split('\n').filter((line) => /^npm\b/.test(line))
  if (commands.join(' && ') !== testCommand) {
    const message = `test-command: it must run ${steps.join(', then ')}, as in README.md.`
    violations.push({ path: '.ci/run', line: 1, message })
  }
  return violations
}

function fencedLines(markdown: string): string[] {
  let isFenced = false
  return markdown.split('\n').filter((line) => {
    const isFence = line.startsWith('```')
    if (isFence) isFenced = !isFenced
    return isFenced && !isFence
  })
}
