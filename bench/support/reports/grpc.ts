// The report of the gRPC bench.

import type { GrpcFigures, GrpcResult } from '../../stream/grpc.ts'
import { count, row } from './table.ts'

export function reportGrpc({ options, pairings }: GrpcResult): string[] {
  const rates = pairings.map(({ shape, answerBytes, outcry, peer, ratio }) =>
    row([
      shape.name,
      `${shape.connections} x ${shape.depth}`,
      count(answerBytes),
      count(outcry.perSecond),
      count(peer.perSecond),
      ratio.toFixed(2),
    ]),
  )
  const costs = pairings.flatMap(({ shape, outcry, peer }) => [
    rowOfCost(`Outcry, ${shape.name}`, outcry),
    rowOfCost(`bare grpc-js, ${shape.name}`, peer),
  ])
  return [
    '## Orders over gRPC',
    '',
    'LIMIT orders of 64 players in both outcomes of a market; about a third match resting orders.',
    'Outcry stores an order in SQLite and syncs the disk before it answers. The peer is grpc-js',
    'alone: it answers prepared bytes of the same size and decodes nothing. The load runs on the',
    'same cores.',
    `Alternating rounds: ${options.rounds} of ${options.measureMs / 1000} s each; medians, and the`,
    'median of the ratios.',
    '',
    '| calls | connections x unanswered | bytes per answer | Outcry, orders/s | peer | ratio |',
    '|---|---|---|---|---|---|',
    ...rates,
    '',
    '| server | server, us of CPU per order | load, us |',
    '|---|---|---|',
    ...costs,
    '',
  ]
}

function rowOfCost(name: string, { serverMicros, loadMicros }: GrpcFigures): string {
  return row([name, serverMicros === null ? '' : serverMicros.toFixed(1), loadMicros.toFixed(1)])
}
