// Runs every bench, prints a table and writes it to bench/results/ with the date, the commit and
// the machine. Each figure that a document names comes from such a file.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { benchCore, type CoreResult } from './core.ts'
import type { MemoryResult } from './memory.ts'

const here = import.meta.dirname
const { values } = parseArgs({ options: { save: { type: 'boolean', default: false } } })

say('Core, one book ...')
const oneBook = benchCore(1, 10_000)
say('Core, 1,000 books ...')
const manyBooks = benchCore(1_000, 100_000)
say('Memory ...')
const memory = measureMemory()

const report = [
  `# Bench of ${new Date().toISOString().slice(0, 10)}`,
  '',
  `Commit ${commit()}, Node ${process.version}, ${os.cpus()[0]?.model ?? 'unknown processor'},`,
  `${os.availableParallelism()} cores, ${os.type()} ${os.arch()}.`,
  'Made by `npm run bench -- --save`.',
  '',
  '## Core',
  '',
  'One thread. 60 % LIMIT orders, 30 % cancels of open orders, 10 % MARKET orders; 1 to 100',
  'shares; 64 players of two operators a market; 0.4 trades an operation. Outcry checks holdings,',
  'reserves, keeps positions, computes fees and writes every fact down; the peer matches only. The',
  'meetings of orders were compared one by one before the clock started. "With all that is told"',
  'adds the answer to every placement and the compact tellings of every turn, as a store keeps',
  'them; they become full events where they are read.',
  '',
  '| books | resting | Outcry, op/s | with all that is told | nodejs-order-book | ratio |',
  '|---|---|---|---|---|---|',
  ...[oneBook, manyBooks].map(rowOfCore),
  '',
  '## Memory',
  '',
  `${count(memory.outcomes)} outcomes, ${count(memory.orders)} resting orders and`,
  `${count(memory.positions)} positions in one process of ${count(memory.residentMiB)} MiB.`,
  '',
  '| of one | bytes | at most |',
  '|---|---|---|',
  `| empty book, with its share of the market | ${count(memory.perEmptyBook)} | 1,024 |`,
  `| position | ${count(memory.perPosition)} | 150 |`,
  `| resting order, each at a price of its own | ${count(memory.perOrder)} | 200 |`,
  '',
].join('\n')

console.log(report)
if (values.save) save(report)

function rowOfCore(result: CoreResult): string {
  const cells = [
    count(result.books),
    count(result.prefill),
    count(result.outcry),
    count(result.outcryTold),
    count(result.peer),
    `${result.ratio.toFixed(1)}x`,
  ]
  return `| ${cells.join(' | ')} |`
}

function measureMemory(): MemoryResult {
  const output = execFileSync(process.execPath, ['--expose-gc', `${here}/memory.ts`])
  return JSON.parse(output.toString())
}

function save(text: string): void {
  const folder = `${here}/results`
  mkdirSync(folder, { recursive: true })
  const file = `${folder}/${new Date().toISOString().slice(0, 10)}-core.md`
  writeFileSync(file, text)
  say(`Written to ${file}.`)
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: here }).toString().trim()
  } catch {
    return 'unknown'
  }
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en-US')
}

function say(text: string): void {
  console.error(text)
}
