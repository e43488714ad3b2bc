// Monitoring: whether the process is alive, whether it can commit, and its metrics.

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { metricsChallenge, noMetricsKey } from '../../admission/metrics-key.ts'
import { Refusal } from '../../errors.ts'
import { metricsPage } from '../../http/metrics-page.ts'
import { Done } from '../../http/response.ts'
import type { Context } from '../context.ts'
import { refusePaced } from '../reply.ts'
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

export function addMetrics(app: FastifyInstance, context: Context, onRequest: Hook): void {
  const { metrics, metricsRoute } = context
  if (metricsRoute === null) return
  const page = metricsPage(metrics)
  app.route({
    method: 'GET',
    url: '/metrics',
    onRequest: [
      onRequest,
      (request, reply, done) => {
        if (metricsRoute.isAllowed(request.headers)) return done()
        request.answerHeaders.push(...metricsChallenge)
        refusePaced(reply, request.clientAddress, noMetricsKey)
      },
    ],
    schema: {
      tags: ['Service'],
      operationId: 'getMetrics',
      summary: 'Get metrics in the Prometheus format',
      description: 'They are at most a second old.',
      security: [],
      response: {
        200: { description: 'Done.', content: { 'text/plain': { schema: Type.String() } } },
      },
    },
    handler: async (_request, reply) => {
      reply.header('content-type', metrics.contentType)
      reply.header('cache-control', 'no-store')
      return reply.send(await page())
    },
  })
}
