// Cuts the power of a service under load: logs every write and sync of its data folder, rebuilds
// the folder as a disk may hold it after a cut at random moments, and starts a service on each.
// What was answered before the cut must be there. A kill keeps the page cache and cannot show it.

import { rm } from 'node:fs/promises'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { Random } from '../../support/process/random.ts'
import type { History } from '../support/client-history.ts'
import { Clients } from '../support/clients.ts'
import {
  type Cut,
  type Files,
  imageAt,
  readFiles,
  unsyncedFates,
  writeFiles,
} from '../support/power-cut/disk-image.ts'
import { type DiskEntry, readDiskLog, tracedWrites } from '../support/power-cut/disk-log.ts'
import { serviceOptions } from '../support/process-options.ts'
import { verify } from '../support/record-checks.ts'
import { createTradingFixture, type TradingFixture } from '../support/trading-fixture.ts'

const clientCount = 8
const answersWaitMs = 60_000
/** Pages in the log of the database between checkpoints, so that a short run has several. */
const checkpointPages = 300
const pragmas = new URL('../support/power-cut/changed-pragmas.ts', import.meta.url).pathname

export type PowerCutOptions = {
  readonly points: number
  readonly seed: number
  /** How many requests are answered before the last cut. */
  readonly answers: number
  /** NORMAL, as a planted defect, does not sync each commit. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  readonly onCut?: (number: number, cut: Cut) => void
}

export type PowerCutReport = {
  readonly violations: readonly string[]
  /** Requests answered before each cut, added up. */
  readonly acknowledged: number
  /** Changes that were not synced at a cut, added up. */
  readonly unsynced: number
  readonly syncs: number
  /** Writes to the database itself, which only checkpoints make. */
  readonly checkpointWrites: number
}

type Recording = {
  readonly before: Files
  readonly entries: readonly DiskEntry[]
  readonly fixture: TradingFixture
  readonly history: History
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
    const fate = unsyncedFates[number % unsyncedFates.length]!
    const cut = { at: momentOf(recording, random), fate }
    const result = await checkCut(cut, recording, random)
    violations.push(...result.violations.map((text) => `cut at ${cut.at}, ${fate}: ${text}`))
    acknowledged += result.acknowledged
    unsynced += result.unsynced
    onCut(number + 1, cut)
  }
  const syncs = entries.filter(({ kind }) => kind === 'sync').length
  const checkpointWrites = entries.filter(
    ({ kind, path }) => kind === 'write' && path === 'outcry.db',
  ).length
  return { violations, acknowledged, unsynced, syncs, checkpointWrites }
}

/** A service under load, with everything that it did to its disk. */
async function record({ seed, answers, synchronous }: PowerCutOptions): Promise<Recording> {
  const folder = await newFolder()
  const output = `${folder}.trace`
  try {
    const first = await Service.start({ dataDir: folder, ...serviceOptions() })
    const fixture = await createTradingFixture(first)
    await first.stop()
    const before = await readFiles(folder)
    const options = serviceOptions()
    const changes = [`wal_autocheckpoint=${checkpointPages}`]
    if (synchronous !== undefined) changes.push(`synchronous=${synchronous}`)
    const env = {
      ...options.env,
      NODE_OPTIONS: `--import=${pragmas}`,
      FAULT_PRAGMAS: changes.join(),
    }
    const under = tracedWrites(output)
    const service = await Service.start({ ...options, dataDir: folder, env, under })
    const clients = new Clients(fixture, { count: clientCount, seed })
    const load = clients.run(service)
    await clients.answers(answers, answersWaitMs)
    await service.kill()
    await load
    const entries = await readDiskLog(output, folder)
    return { before, entries, fixture, history: clients.history }
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
