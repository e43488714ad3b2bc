// How many orders per second does the service accept over gRPC, each stored before it is answered:
// in unary calls, in streams of single orders, in streams of a hundred orders per message? Rounds
// of Outcry and of a bare server alternate, so that a noisy machine disturbs both alike; each ratio
// is the median over the rounds.

import { fork } from 'node:child_process'
import type { LoadTarget } from '../http/load-target.ts'
import { startService } from '../http/servers-under-test.ts'
import { median } from '../support/percentiles.ts'
import { startServer } from '../support/server-process.ts'
import type { GrpcJob, GrpcLoadAnswer, GrpcLoadResult } from './grpc-load.ts'

export type GrpcOptions = {
  readonly rounds: number
  readonly warmUpMs: number
  readonly measureMs: number
}

export type GrpcShape = {
  readonly name: string
  readonly ordersPerMessage: number
  readonly connections: number
  readonly depth: number
}

export type GrpcFigures = {
  readonly perSecond: number
  readonly serverMicros: number | null
  readonly loadMicros: number
}

export type GrpcPairing = {
  readonly shape: GrpcShape
  readonly answerBytes: number
  readonly outcry: GrpcFigures
  readonly peer: GrpcFigures
  readonly ratio: number
}

export type GrpcResult = {
  readonly options: GrpcOptions
  readonly pairings: readonly GrpcPairing[]
}

export const defaultGrpc: GrpcOptions = { rounds: 5, warmUpMs: 1_000, measureMs: 3_000 }

const shapes: readonly GrpcShape[] = [
  { name: 'unary calls', ordersPerMessage: 0, connections: 8, depth: 8 },
  { name: 'streams, 1 order per message', ordersPerMessage: 1, connections: 8, depth: 32 },
  { name: 'streams, 100 orders per message', ordersPerMessage: 100, connections: 4, depth: 4 },
]

type GrpcServer = {
  readonly prepare: () => Promise<Pick<GrpcJob, 'target' | 'port'>>
  readonly cpuMs: () => number | null
  readonly stop: () => Promise<void>
}

export async function benchGrpc(
  options: GrpcOptions,
  log: (text: string) => void,
): Promise<GrpcResult> {
  const outcry = await startOutcry()
  try {
    const pairings: GrpcPairing[] = []
    for (const shape of shapes) {
      log(`gRPC, ${shape.name} ...`)
      pairings.push(await pair(outcry, shape, options))
    }
    return { options, pairings }
  } finally {
    await outcry.stop()
  }
}

async function startOutcry(): Promise<GrpcServer> {
  const service = await startService('src/main.ts', { rounds: 1 })
  const prepare = async () => {
    const port = service.grpcPort()
    if (port === null) throw new Error('The service did not print its gRPC port.')
    return { target: await service.prepare(), port }
  }
  return { prepare, cpuMs: () => service.cpuMs(), stop: () => service.stop() }
}

async function startBare(
  { ordersPerMessage }: GrpcShape,
  answerBytes: number,
  target: LoadTarget,
): Promise<GrpcServer> {
  const env = {
    ANSWER_BYTES: String(Math.round(answerBytes)),
    ORDERS_PER_MESSAGE: String(Math.max(1, ordersPerMessage)),
  }
  const server = await startServer({ script: 'bench/peers/bare-grpc.ts', env })
  const prepare = async () => ({ target, port: server.port })
  return { prepare, cpuMs: () => server.cpuMs(), stop: () => server.stop() }
}

async function pair(
  outcry: GrpcServer,
  shape: GrpcShape,
  options: GrpcOptions,
): Promise<GrpcPairing> {
  // Measures the size of the answers, and warms the service up.
  const { answerBytes } = await runRound(outcry, shape, { ...options, seed: 0 })
  const peer = await startBare(shape, answerBytes, (await outcry.prepare()).target)
  try {
    await runRound(peer, shape, { ...options, seed: 0 })
    const ours: Round[] = []
    const theirs: Round[] = []
    for (let seed = 1; seed <= options.rounds; seed += 1) {
      ours.push(await runRound(outcry, shape, { ...options, seed }))
      theirs.push(await runRound(peer, shape, { ...options, seed }))
    }
    const ratio = median(ours.map(({ perSecond }, at) => perSecond / theirs[at]!.perSecond))
    return { shape, answerBytes, outcry: figuresOf(ours), peer: figuresOf(theirs), ratio }
  } finally {
    await peer.stop()
  }
}

type Round = GrpcLoadResult & { readonly serverMicros: number | null }

async function runRound(
  server: GrpcServer,
  shape: GrpcShape,
  options: Omit<GrpcOptions, 'rounds'> & { readonly seed: number },
): Promise<Round> {
  const prepared = await server.prepare()
  const before = server.cpuMs()
  const result = await runLoad({ ...prepared, ...shape, ...options })
  const after = server.cpuMs()
  const spentMs = before === null || after === null ? null : after - before
  return { ...result, serverMicros: spentMs === null ? null : (spentMs * 1000) / result.sent }
}

function runLoad(job: GrpcJob): Promise<GrpcLoadResult> {
  const { promise, resolve, reject } = Promise.withResolvers<GrpcLoadResult>()
  const child = fork(`${import.meta.dirname}/grpc-load.ts`)
  child.once('message', (answer: GrpcLoadAnswer) => {
    if ('result' in answer) resolve(answer.result)
    else reject(new Error(answer.fault))
  })
  child.once('error', reject)
  child.once('exit', () => reject(new Error('The load process exited without a result.')))
  child.send(job)
  return promise
}

function figuresOf(rounds: readonly Round[]): GrpcFigures {
  const server = rounds.map(({ serverMicros }) => serverMicros).filter((each) => each !== null)
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    serverMicros: server.length === 0 ? null : median(server),
    loadMicros: median(rounds.map(({ loadMicros }) => loadMicros)),
  }
}
