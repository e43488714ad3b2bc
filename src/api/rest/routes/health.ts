// Monitoring: whether the process is alive, whether it can commit, and its metrics.

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import type { Context } from '../context.ts'
import type { Hook } from '../rest-admission.ts'
import type { Routes } from './routes.ts'

const Readiness = Type.Object({
  status: Type.String(),
  clockBehindMs: Type.Integer({
    description:
      'How far the system clock is behind the time of the service, which then passes at half ' +
      'the pace of the clock; 0 otherwise.',
  }),
})

export function addHealth(routes: Routes, { clockBehindMs, isReady, version }: Context): void {
  routes.open(
    {
      method: 'GET',
      path: '/health',
      tag: 'Service',
      name: 'getHealth',
      summary: 'Check whether the process is alive',
      answer: Type.Object({ status: Type.String(), version: Type.String() }),
    },
    () => new Done({ status: 'alive', version }),
  )
  routes.open(
    {
      method: 'GET',
      path: '/ready',
      tag: 'Service',
      name: 'getReadiness',
      summary: 'Check whether the service accepts orders',
      answer: Readiness,
    },
    () =>
      isReady()
        ? new Done({ status: 'ready', clockBehindMs: clockBehindMs() })
        : new Refusal('UNAVAILABLE', 'The service is not ready to accept orders.'),
  )
}

/** Making the text takes milliseconds, and a scrape every second is frequent already. */
const metricsAgeMsMax = 1_000

export function addMetrics(app: FastifyInstance, { metrics }: Context, onRequest: Hook): void {
  const bytes = cached(async () => Buffer.from(await metrics.text()), metricsAgeMsMax)
  app.route({
    method: 'GET',
    url: '/metrics',
    onRequest,
    schema: {
      tags: ['Service'],
      operationId: 'getMetrics',
      summary: 'Get metrics in the Prometheus format',
      description: 'They are at most a second old.',
      response: {
        200: { description: 'Done.', content: { 'text/plain': { schema: Type.String() } } },
      },
    },
    handler: async (_request, reply) => {
      reply.header('content-type', metrics.contentType)
      reply.header('cache-control', 'no-store')
      return reply.send(await bytes())
    },
  })
}

/** Makes a value when it is asked for, and again when it is too old; a failure is not kept. */
function cached<Value>(make: () => Promise<Value>, ageMsMax: number): () => Promise<Value> {
  let made: Promise<Value> | null = null
  let madeAt = 0
  return () => {
    const now = performance.now()
    if (made !== null && now - madeAt < ageMsMax) return made
    madeAt = now
    const making = make()
    making.catch(() => {
      if (made === making) made = null
    })
    made = making
    return making
  }
}
