// Several orders in one request. A rejected order does not affect the others; the results are in
// the order of the request.

import { Type } from 'typebox'
import type { PlaceAnswer, PlaceOrder, Result } from '../../../engine/commands.ts'
import { type ErrorCode, Refusal, refusalOf } from '../../errors.ts'
import { answerOfStored, refusalOfFault } from '../../faults.ts'
import { Done } from '../../http/response.ts'
import { placeOrderOf } from '../../parse/order.ts'
import { presentPlacement } from '../../present/order.ts'
import { failure } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import {
  AnyOrders,
  batchTradesMax,
  type PlacedOne,
  Placement,
  PlaceOrderBody,
  PlaceOrders,
} from '../../schemas/order.ts'
import type { ShardAccess } from '../../shards.ts'
import { partChecker } from '../../validate/validation.ts'
import type { Context } from '../context.ts'
import type { ChargedCommand } from '../rest-admission.ts'
import { placeErrors } from './orders.ts'
import type { Routes } from './routes.ts'

const codes: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  ...placeErrors,
  'UNAVAILABLE',
  'COMMIT_UNKNOWN',
  'INTERNAL_ERROR',
]

const Replayed = Type.Optional(
  Type.Literal(true, { description: 'The order was already carried out; nothing was done again.' }),
)

const Results = Type.Object({
  results: Type.Array(
    Type.Union([
      Type.Object({
        success: Type.Literal(true),
        data: named(Placement),
        replayed: Replayed,
      }),
      Type.Object({ ...failure(codes).properties, replayed: Replayed }),
    ]),
    { description: 'One result per order, in the order of the request.' },
  ),
})

export function addOrderBatches(routes: Routes, context: Context): void {
  const complaintAbout = partChecker(named(PlaceOrderBody))
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/orders/batch',
      scope: 'trade',
      bucket: 'orders',
      isFast: true,
      tag: 'Orders',
      idempotencyKey: 'REFUSED',
      name: 'placeOrders',
      summary: 'Place several orders',
      description:
        'Orders are placed one by one in the order of the array: a rejected order does not ' +
        'affect the others. Each order counts towards the rate limit. If all orders fail with ' +
        'the same 5xx error, the whole request is answered with that error.',
      body: PlaceOrders,
      checkedAs: AnyOrders,
      answer: Results,
    },
    async ({ operator, shard, body, charge, chargeAfter }) => {
      const orders: readonly PlaceOrderBody[] = body.orders
      const limited = charge(orders.length - 1)
      if (limited !== null) return limited
      const commands = orders.map((order) => {
        return complaintAbout(order) ?? placeOrderOf(shard, operator.id, order)
      })
      const { reportFailure } = context
      const placed = await answerOfStored(() =>
        placeAll({ shard, reportFailure, chargeAfter }, commands),
      )
      return placed instanceof Refusal ? placed : Done.ofStored(() => ({ results: placed }))
    },
  )
}

type Placing = Pick<Context, 'reportFailure'> & {
  readonly shard: ShardAccess
  readonly chargeAfter: (done: ChargedCommand) => void
}

async function placeAll(
  { shard, reportFailure, chargeAfter }: Placing,
  commands: readonly (PlaceOrder | Refusal)[],
): Promise<readonly PlacedOne[] | Refusal> {
  const good = commands.flatMap((command) => (command instanceof Refusal ? [] : [command]))
  const answers = await Promise.allSettled(shard.submitAll('place', good))
  for (const answer of answers) {
    if (answer.status === 'fulfilled') chargeAfter({ result: answer.value })
  }
  const faults = answers.flatMap((answer) => {
    return answer.status === 'rejected' ? [refusalOfFault(answer.reason)] : []
  })
  if (faults.some(({ code }) => code === 'INTERNAL_ERROR')) {
    const error = answers.find(({ status }) => status === 'rejected')
    reportFailure('rest', 'orders of a batch failed', { error })
  }
  const [first] = faults
  const isCommon =
    faults.length === commands.length && faults.every(({ code }) => code === first?.code)
  if (first !== undefined && isCommon) return first
  const placed = answers.values()
  let tradesLeft = batchTradesMax
  return commands.map((command) => {
    if (command instanceof Refusal) return refusedOne(command)
    const one = placedOne(placed.next().value!, tradesLeft)
    if (one.success) tradesLeft -= one.data.trades.length
    return one
  })
}

function placedOne(
  answer: PromiseSettledResult<Result<PlaceAnswer>>,
  tradesMax: number,
): PlacedOne {
  if (answer.status === 'rejected') return refusedOne(refusalOfFault(answer.reason))
  const result = answer.value
  if (!result.isAccepted) return refusedOne(refusalOf(result.reject, result.isReplay))
  const data = presentPlacement(result.answer, tradesMax)
  return result.answer.isReplay ? { success: true, data, replayed: true } : { success: true, data }
}

function refusedOne({ code, message, details, isReplay }: Refusal): PlacedOne {
  const error = { code, message, details }
  return isReplay ? { success: false, error, replayed: true } : { success: false, error }
}
