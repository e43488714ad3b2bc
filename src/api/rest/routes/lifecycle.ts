// The lifecycle of a market: open, suspend, resume, close, resolve, cancel.

import type { ManageMarket } from '../../../engine/commands.ts'
import { type ErrorCode, Refusal, refusalOf } from '../../errors.ts'
import type { Done } from '../../http/response.ts'
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
    routes.operator({ ...common, path, ...plainSteps[action] }, ({ operator, shard, params }) => {
      const marketSerial = serialOf(shard.ids, params.id)
      return manage({ operator, shard }, { operatorId: operator.id, marketSerial, action })
    })
  }
  for (const action of ['suspend', 'cancel'] as const) {
    const path = `/api/v1/markets/:id/${action}` as const
    const route = { ...common, path, body: GiveReason, ...reasonedSteps[action] }
    routes.operator(route, ({ operator, shard, params, body: { reason } }) => {
      const marketSerial = serialOf(shard.ids, params.id)
      return manage({ operator, shard }, { operatorId: operator.id, marketSerial, action, reason })
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
    ({ operator, shard, params, body }) => {
      const resolution = resolutionOf(shard.ids, body)
      if (resolution instanceof Refusal) return resolution
      return manage(
        { operator, shard },
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

async function manage(caller: MarketCaller, command: ManageMarket): Promise<Done | Refusal> {
  const result = await caller.shard.submit('manage', command)
  return result.isAccepted ? marketAnswer(caller, command.marketSerial) : refusalOf(result.reject)
}
