// Makes chosen system calls on a file of the store fail, in one process after the other on the same
// data folder, and compares answers and records at the end. A partly written turn would show as
// books, positions or events that do not match.

import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  newFolder,
  type Prepared,
  Service,
  type ServiceOptions,
} from '../../support/process/outcry-process.ts'
import { Clients } from '../support/clients.ts'
import { type StoreFile, traced } from '../support/fault-injection.ts'
import type { Defect } from '../support/planted-defects.ts'
import { standbyOptions, withPragmas } from '../support/process-options.ts'
import { verify } from '../support/record-checks.ts'
import { createTradingFixture } from '../support/trading-fixture.ts'

/** A process without an error by then is unharmed. */
const answersMax = 150
/** A slow machine makes the run longer, and not the number of answers smaller. */
const answersWaitMs = 60_000
/** Seconds from the failed call to the exit: about 0.25 on an idle machine. */
const endMax = 30

/** Pages in the log of each database between checkpoints, so that a short run has some. */
const checkpoints = ['outcry.db:wal_autocheckpoint=60', 'outcry.db-turns:wal_autocheckpoint=16']

export type IoError = {
  readonly file: StoreFile
  readonly calls: 'fsync,fdatasync' | 'pwrite64'
  /** The number of the call in its thread that fails; with a plus, all later ones, too. */
  readonly when: string
}

export type IoErrorReport = {
  readonly violations: readonly string[]
  readonly done: number
  readonly unknown: number
  /** How many processes failed while starting, failed while serving, or met no error. */
  readonly ends: { starting: number; serving: number; survived: number; unharmed: number }
}

export type IoErrorOptions = {
  readonly seed: number
  readonly defect?: Defect
  readonly onError?: (error: IoError, end: string) => void
}

type Round = {
  readonly file: StoreFile
  readonly clients: Clients
  readonly trace: string
  readonly found: string[]
}

export async function runIoErrors(
  errors: readonly IoError[],
  { seed, defect = 'none', onError = () => undefined }: IoErrorOptions,
): Promise<IoErrorReport> {
  const folder = await newFolder()
  const trace = `${folder}.trace`
  try {
    const first = await Service.start({ dataDir: folder, ...standbyOptions() })
    const fixture = await createTradingFixture(first)
    await first.stop()
    const clients = new Clients(fixture, { count: 8, seed })
    const found: string[] = []
    const ends = { starting: 0, serving: 0, survived: 0, unharmed: 0 }
    const standby = standbys(folder, trace, defect)
    for (const [at, error] of errors.entries()) {
      const prepared = standby(error, errors[at + 1])
      const about = { file: error.file, clients, trace: `${trace}-${at}`, found }
      const end = await round(await prepared, about)
      ends[end] += 1
      onError(error, end)
    }
    const last = await Service.start({ dataDir: folder, ...standbyOptions() })
    await clients.finish(last)
    found.push(...(await verify(last, fixture, clients.history)))
    await last.stop()
    const { history } = clients
    const done = history.count('done')
    return { violations: found, done, unknown: history.count('unknown'), ends }
  } finally {
    await rm(folder, { recursive: true, force: true })
    await Promise.all(errors.map((_, at) => rm(`${trace}-${at}`, { force: true })))
  }
}

/** The next process loads its code while this one runs. */
function standbys(folder: string, trace: string, defect: Defect) {
  let next: Promise<Prepared> | null = null
  let count = 0
  const prepare = ({ file, calls, when }: IoError) => {
    const inject = `error=EIO:when=${when}`
    const under = traced(`${folder}/${file}`, { calls, inject, output: `${trace}-${count}` })
    count += 1
    const program = standbyOptions(defect)
    // Without checkpoints, each write and sync of a log is that of a commit.
    const written = isLog(file) ? program : withPragmas(checkpoints, program)
    const options: ServiceOptions = { dataDir: folder, ...written, under }
    return Service.prepare(options)
  }
  return (error: IoError, following: IoError | undefined): Promise<Prepared> => {
    const prepared = next ?? prepare(error)
    next = following === undefined ? null : prepare(following)
    return prepared
  }
}

async function round(prepared: Prepared, { file, clients, trace, found }: Round) {
  let service: Service
  try {
    service = await prepared.begin()
  } catch (error) {
    const text = String(error)
    if (!/disk I\/O error/.test(text))
      found.push(`a start failed without naming the I/O error: ${text}`)
    return 'starting'
  }
  const load = clients.run(service)
  const ended = service.hasEnded ? null : once(service.process, 'exit')
  await Promise.race([ended, clients.answers(answersMax, answersWaitMs)])
  clients.stop()
  await load
  const text = await readFile(trace, 'utf8')
  const injectedAt = timeOf(text, /\(INJECTED\)/)
  if (injectedAt === null) {
    await service.stop()
    return 'unharmed'
  }
  // A checkpoint that fails is repeated: until then, everything is in the log. The start ends with
  // one, in the main thread.
  const isServing = new RegExp(`^(?!${service.process.pid} ).*\\(INJECTED\\)`, 'm').test(text)
  if (!service.hasEnded && !(isLog(file) && isServing)) {
    await service.stop()
    return 'survived'
  }
  await Promise.race([ended, delay(endMax * 1_000)])
  if (!service.hasEnded) await service.kill()
  found.push(...(await endViolations(service, trace, injectedAt)))
  return 'serving'
}

function isLog(file: StoreFile): boolean {
  return file.endsWith('-wal')
}

async function endViolations(service: Service, trace: string, injectedAt: number) {
  const found: string[] = []
  const { exitCode, signalCode } = service.process
  if (exitCode !== 70) found.push(`the service exited with ${exitCode ?? signalCode}, expected 70`)
  const lines = service.printed().match(/"event":"store failed"/g)?.length ?? 0
  if (lines !== 1) found.push(`the service logged "store failed" ${lines} times`)
  const endedAt = timeOf(await readFile(trace, 'utf8'), /\+\+\+ exited with 70 \+\+\+/)
  const seconds = (endedAt ?? Number.POSITIVE_INFINITY) - injectedAt
  if (seconds > endMax) found.push(`the service exited ${seconds} s after the error`)
  return found
}

/** The time of the first line that matches. */
function timeOf(trace: string, form: RegExp): number | null {
  const line = trace.split('\n').find((one) => form.test(one))
  return line === undefined ? null : Number(line.split(/\s+/)[1])
}
