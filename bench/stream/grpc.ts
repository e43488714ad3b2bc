// How fast is an order over gRPC, durable before it is answered: a call an order, a stream of
// single orders, a stream of a hundred a message? Rounds of Outcry and of a bare server take
// turns, so that a noisy machine disturbs both alike; each ratio is the median over the rounds.

import { fork } from 'node:child_process'
import type { LoadTarget } from '../http/load-target.ts'
import { startService } from '../http/servers-under-test.ts'
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

export const usualGrpc: GrpcOptions = { rounds: 5, warmUpMs: 1_000, measureMs: 3_000 }

const shapes: readonly GrpcShape[] = [
  { name: 'a call an order', ordersPerMessage: 0, connections: 8, depth: 8 },
  { name: 'streams, an order a message', ordersPerMessage: 1, connections: 8, depth: 32 },
  { name: 'streams, 100 orders a message', ordersPerMessage: 100, connections: 4, depth: 4 },
]

type Measured = { readonly cpuMs: () => number | null; readonly stop: () => Promise<void> }
type ServerUnderTest = Measured & {
  readonly place: () => Promise<Pick<GrpcJob, 'target' | 'port'>>
}

export async function benchGrpc(
  options: GrpcOptions,
  say: (text: string) => void,
): Promise<GrpcResult> {
  const outcry = await startOutcry()
  try {
    const pairings: GrpcPairing[] = []
    for (const shape of shapes) {
      say(`gRPC, ${shape.name} ...`)
      pairings.push(await pair(outcry, shape, options))
    }
    return { options, pairings }
  } finally {
    await outcry.stop()
  }
}

async function startOutcry(): Promise<ServerUnderTest> {
  const service = await startService('src/main.ts', { rounds: 1 })
  const place = async () => {
    const port = service.grpcPort()
    if (port === null) throw new Error('It did not say where gRPC listens.')
    return { target: await service.prepare(), port }
  }
  return { place, cpuMs: () => service.cpuMs(), stop: () => service.stop() }
}

async function startBare(
  { ordersPerMessage }: GrpcShape,
  answerBytes: number,
  target: LoadTarget,
): Promise<ServerUnderTest> {
  const env = {
    ANSWER_BYTES: String(Math.round(answerBytes)),
    ORDERS_PER_MESSAGE: String(Math.max(1, ordersPerMessage)),
  }
  const server = await startServer({ script: 'bench/peers/bare-grpc.ts', env })
  const place = async () => ({ target, port: server.port })
  return { place, cpuMs: () => server.cpuMs(), stop: () => server.stop() }
}

async function pair(
  outcry: ServerUnderTest,
  shape: GrpcShape,
  options: GrpcOptions,
): Promise<GrpcPairing> {
  // Tells how large the answers are, and warms the service up.
  const { answerBytes } = await runRound(outcry, shape, { ...options, seed: 0 })
  const peer = await startBare(shape, answerBytes, (await outcry.place()).target)
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
  server: ServerUnderTest,
  shape: GrpcShape,
  options: Omit<GrpcOptions, 'rounds'> & { readonly seed: number },
): Promise<Round> {
  const place = await server.place()
  const before = server.cpuMs()
  const result = await runLoad({ ...place, ...shape, ...options })
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
  child.once('exit', () => reject(new Error('The load ended without figures.')))
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

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[list.length >> 1]!
}
