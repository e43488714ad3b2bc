// Cuts the power of a service under load: logs every write and sync of its data folder, rebuilds
// the folder as a disk may hold it after a cut at random moments, and starts a service on each.
// What was answered before the cut must be there. A kill keeps the page cache and cannot show it.

import { rm } from 'node:fs/promises'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { Random } from '../../support/process/random.ts'
import { commandsIn, headOf } from '../../support/store/pending-turns.ts'
import type { History } from '../support/client-history.ts'
import { Clients } from '../support/clients.ts'
import {
  type Cut,
  type Files,
  imageAt,
  readFiles,
  type UnsyncedFate,
  unsyncedFates,
  writeFiles,
} from '../support/power-cut/disk-image.ts'
import { type DiskEntry, readDiskLog, tracedWrites } from '../support/power-cut/disk-log.ts'
import { serviceOptions, withPragmas } from '../support/process-options.ts'
import { verify } from '../support/record-checks.ts'
import { createTradingFixture, type TradingFixture } from '../support/trading-fixture.ts'

const clientCount = 8
const answersWaitMs = 60_000
/** Pages in the log of each database between checkpoints, so that a short run has several. */
const checkpointPages = { 'outcry.db': 60, 'outcry.db-turns': 16 }

export type PowerCutOptions = {
  readonly points: number
  readonly seed: number
  /** How many requests are answered before the last cut. */
  readonly answers: number
  /** As a planted defect, the commits of this file are not synced. */
  readonly unsyncedFile?: DatabaseName
  /** The power fails in the start after a kill, and not under load. */
  readonly isAtStart?: boolean
  readonly onCut?: (number: number, fates: string) => void
}

export type PowerCutReport = {
  readonly violations: readonly string[]
  /** Requests answered before each cut, added up. */
  readonly acknowledged: number
  /** Changes that were not synced at a cut, added up. */
  readonly unsynced: number
  readonly syncs: number
  /** Turns that a start had to derive under its cuts; 0 for cuts under load. */
  readonly pending: number
  /** Writes to each database itself, which only checkpoints make. */
  readonly checkpointWrites: Readonly<Record<DatabaseName, number>>
}

export type DatabaseName = keyof typeof checkpointPages

type Recording = {
  readonly before: Files
  readonly entries: readonly DiskEntry[]
  readonly fixture: TradingFixture
  readonly history: History
  /** Turns that the start had to derive. */
  readonly pending: number
}

export async function runPowerCuts(options: PowerCutOptions): Promise<PowerCutReport> {
  const { points, seed, onCut = () => undefined } = options
  const random = new Random(seed)
  const recording = await record(options)
  const { entries } = recording
  const violations: string[] = []
  let acknowledged = 0
  let unsynced = 0
  for (let number = 0; number < points; number += 1) {
    const { fateOf, fates } = fatesOf(number, random)
    const last = entries.length - 1
    const at = options.isAtStart ? random.between(0, last) : momentOf(recording, random)
    const cut = { at, fateOf }
    const result = await checkCut(cut, recording, random)
    violations.push(...result.violations.map((text) => `cut at ${cut.at}, ${fates()}: ${text}`))
    acknowledged += result.acknowledged
    unsynced += result.unsynced
    onCut(number + 1, fates())
  }
  const syncs = entries.filter(({ kind }) => kind === 'sync').length
  const writesTo = (file: DatabaseName) =>
    entries.filter(({ kind, path }) => kind === 'write' && path === file).length
  const checkpointWrites = {
    'outcry.db': writesTo('outcry.db'),
    'outcry.db-turns': writesTo('outcry.db-turns'),
  }
  const { pending } = recording
  return { violations, acknowledged, unsynced, syncs, checkpointWrites, pending }
}

/** The same fate for all files, and every second time another one for each of them. */
function fatesOf(number: number, random: Random) {
  const common = unsyncedFates[(number >> 1) % unsyncedFates.length]!
  const chosen = new Map<string, UnsyncedFate>()
  const fateOf = (path: string): UnsyncedFate => {
    if (number % 2 === 0) return common
    const fate = chosen.get(path) ?? random.pick(unsyncedFates)
    chosen.set(path, fate)
    return fate
  }
  const fates = () => {
    const each = Array.from(chosen, ([path, fate]) => `${path || 'names'} ${fate}`)
    return number % 2 === 0 ? common : each.join(', ')
  }
  return { fateOf, fates }
}

/** A service under load, with everything that it did to its disk. */
async function record(options: PowerCutOptions): Promise<Recording> {
  const { seed, answers, unsyncedFile, isAtStart = false } = options
  const folder = await newFolder()
  const output = `${folder}.trace`
  try {
    const first = await Service.start({ dataDir: folder, ...serviceOptions() })
    const fixture = await createTradingFixture(first)
    await first.stop()
    let before = await readFiles(folder)
    const changes = Object.entries(checkpointPages).map(
      ([file, pages]) => `${file}:wal_autocheckpoint=${pages}`,
    )
    if (unsyncedFile !== undefined) changes.push(`${unsyncedFile}:synchronous=NORMAL`)
    const traced = { ...withPragmas(changes, serviceOptions()), under: tracedWrites(output) }
    const loaded = isAtStart ? serviceOptions() : traced
    const service = await Service.start({ ...loaded, dataDir: folder })
    const clients = new Clients(fixture, { count: clientCount, seed })
    const load = clients.run(service)
    await clients.answers(answers, answersWaitMs)
    await service.kill()
    await load
    let pending = 0
    if (isAtStart) {
      before = await readFiles(folder)
      const { commandSequence } = headOf(folder)
      pending = commandsIn(folder).filter((to) => to > commandSequence).length
      await (await Service.start({ ...traced, dataDir: folder })).kill()
    }
    const entries = await readDiskLog(output, folder)
    return { before, entries, fixture, history: clients.history, pending }
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(output, { force: true })
  }
}

/** Half of the cuts come right after an answer, when the least time was left to write. */
function momentOf({ entries, history }: Recording, random: Random): number {
  const answered = history.operations.filter(({ verdicts }) => verdicts.includes('done'))
  const first = answered[0]?.answeredAt ?? 0
  const from = entries.findIndex(({ atMs }) => atMs > first)
  if (random.chance(50)) return random.between(from, entries.length - 1)
  const answeredAt = random.pick(answered).answeredAt ?? first
  const next = entries.findIndex(({ atMs }) => atMs >= answeredAt + 1)
  return next < 0 ? entries.length - 1 : next
}

async function checkCut(cut: Cut, recording: Recording, random: Random) {
  const { before, entries, fixture } = recording
  const { files, unsynced } = imageAt(entries, cut, { before, random })
  // The moment of the first change that did not happen: all answers until then were received.
  const history = recording.history.before(entries[cut.at]!.atMs)
  const acknowledged = history.count('done')
  const folder = await newFolder()
  try {
    await writeFiles(folder, files)
    const violations = await violationsIn(folder, fixture, history)
    return { violations, acknowledged, unsynced }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function violationsIn(folder: string, fixture: TradingFixture, history: History) {
  let service: Service
  try {
    service = await Service.start({ dataDir: folder, ...serviceOptions() })
  } catch (error) {
    return [`the service does not start: ${error}`]
  }
  try {
    return await verify(service, fixture, history)
  } finally {
    await service.kill()
  }
}
