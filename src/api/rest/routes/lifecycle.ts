// The lifecycle of a market: open, suspend, resume, close, resolve, cancel.

import type { MarketStatus } from '../../../core/words.ts'
import type { ManageMarket } from '../../../engine/commands.ts'
import { type ErrorCode, Refusal, refusalOf } from '../../errors.ts'
import type { Done } from '../../http/response.ts'
import type { Attempt } from '../../idempotency/kept-answers.ts'
import { resolutionOf } from '../../parse/resolution.ts'
import { serialOf } from '../../parse/serial.ts'
import { named } from '../../schemas/fields.ts'
import { GiveReason, Market, ResolveMarketBody } from '../../schemas/market.ts'
import { type MarketCaller, marketAnswer } from '../market-answer.ts'
import type { Routes } from './routes.ts'

type Step = {
  readonly name: string
  readonly summary: string
  readonly description?: string
}

const plainSteps: Readonly<Record<'open' | 'resume' | 'close', Step>> = {
  open: {
    name: 'openMarket',
    summary: 'Open a market',
    description: 'The market becomes OPEN, or UPCOMING if its trading starts later.',
  },
  resume: { name: 'resumeMarket', summary: 'Resume a suspended market' },
  close: {
    name: 'closeMarket',
    summary: 'Close a market',
    description: 'Trading ends, and the market can be resolved.',
  },
}

const reasonedSteps: Readonly<Record<'suspend' | 'cancel', Step>> = {
  suspend: { name: 'suspendMarket', summary: 'Suspend trading in a market' },
  cancel: {
    name: 'cancelMarket',
    summary: 'Cancel a market',
    description: 'All open orders of the market are cancelled.',
  },
}

const common = {
  method: 'POST',
  scope: 'manage',
  tag: 'Markets',
  answer: named(Market),
  errors: ['MARKET_NOT_FOUND', 'MARKET_INVALID_TRANSITION'] satisfies ErrorCode[],
} as const

export function addLifecycle(routes: Routes): void {
  for (const action of ['open', 'resume', 'close'] as const) {
    const path = `/api/v1/markets/:id/${action}` as const
    routes.operator(
      { ...common, path, ...plainSteps[action] },
      ({ operator, shard, params, attempt }) => {
        const marketSerial = serialOf(shard.ids, params.id)
        const command = { operatorId: operator.id, marketSerial, action }
        return manage({ operator, shard, attempt }, command)
      },
    )
  }
  for (const action of ['suspend', 'cancel'] as const) {
    const path = `/api/v1/markets/:id/${action}` as const
    const route = { ...common, path, body: GiveReason, ...reasonedSteps[action] }
    routes.operator(route, ({ operator, shard, params, body: { reason }, attempt }) => {
      const marketSerial = serialOf(shard.ids, params.id)
      const command = { operatorId: operator.id, marketSerial, action, reason }
      return manage({ operator, shard, attempt }, command)
    })
  }
  routes.operator(
    {
      ...common,
      path: '/api/v1/markets/:id/resolve',
      name: 'resolveMarket',
      summary: 'Resolve a market',
      description:
        'Declares the winning outcome, or the payout per share of each outcome. Settlement is a ' +
        'separate call.',
      body: ResolveMarketBody,
    },
    ({ operator, shard, params, body, attempt }) => {
      const resolution = resolutionOf(shard.ids, body)
      if (resolution instanceof Refusal) return resolution
      return manage(
        { operator, shard, attempt },
        {
          operatorId: operator.id,
          marketSerial: serialOf(shard.ids, params.id),
          action: 'resolve',
          source: body.resolutionSource,
          notes: body.resolutionNotes ?? null,
          ...resolution,
        },
      )
    },
  )
}

/** The statuses that a market has after an action. */
const statusesAfter: Readonly<Record<ManageMarket['action'], readonly MarketStatus[]>> = {
  open: ['OPEN', 'UPCOMING'],
  suspend: ['SUSPENDED'],
  resume: ['OPEN'],
  close: ['CLOSED'],
  resolve: ['RESOLVED'],
  cancel: ['CANCELLED'],
}

type Caller = MarketCaller & { readonly attempt: Attempt | null }

async function manage(caller: Caller, command: ManageMarket): Promise<Done | Refusal> {
  const result = await caller.shard.submit('manage', command)
  if (result.isAccepted) return marketAnswer(caller, command.marketSerial)
  const { reject } = result
  // An earlier attempt with the same Idempotency-Key, of which no answer was kept, has done it.
  const isDone =
    caller.attempt?.isFirst === false &&
    reject.code === 'MARKET_INVALID_TRANSITION' &&
    statusesAfter[command.action].includes(reject.status)
  return isDone ? marketAnswer(caller, command.marketSerial) : refusalOf(reject)
}
