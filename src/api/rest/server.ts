// The REST server: what every route shares, and the routes. It does not listen yet.

import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { invalidField } from '../errors.ts'
import { closing } from '../faults.ts'
import { AcceptQueues } from '../http/accept-queues.ts'
import { DrainLimit } from '../http/drain-limit.ts'
import { OpenRequests } from '../http/open-requests.ts'
import { RefusalPace } from '../http/refusal-pace.ts'
import { requestIdOf } from '../http/request-id.ts'
import { isForStream } from '../http/stream-path.ts'
import { validatorCompiler } from '../validate/validation.ts'
import { bodyBytesMax, readBodies } from './body.ts'
import type { Context } from './context.ts'
import { addDocument, prepareDocument } from './document.ts'
import { FastPath } from './fast-path/fast-path.ts'
import { answerFaults, clientErrorHandler, onFrameworkError } from './faults.ts'
import { copyHeaders, refuse, refusePaced, stamp } from './reply.ts'
import { logged, requestRecorder } from './request-metrics.ts'
import { RestAdmission } from './rest-admission.ts'
import { addAudit } from './routes/audit.ts'
import { addCandles } from './routes/candles.ts'
import { addCategories } from './routes/categories.ts'
import { addCluster } from './routes/cluster.ts'
import { addConsole, redirectToConsole } from './routes/console.ts'
import { addControls } from './routes/controls.ts'
import { addDailyStatistics } from './routes/daily-statistics.ts'
import { addDeadMan } from './routes/dead-man.ts'
import { addEvents } from './routes/events.ts'
import { addExchangeControls } from './routes/exchange-controls.ts'
import { addGuide } from './routes/guide.ts'
import { addHealth, addMetrics } from './routes/health.ts'
import { addLifecycle } from './routes/lifecycle.ts'
import { addLimits } from './routes/limits.ts'
import { addMarketData } from './routes/market-data.ts'
import { addMarketLists } from './routes/market-lists.ts'
import { addMarkets } from './routes/markets.ts'
import { addMe } from './routes/me.ts'
import { addOperators } from './routes/operators.ts'
import { addOrderBatches } from './routes/order-batches.ts'
import { addOrderCancels } from './routes/order-cancels.ts'
import { addOrderGroups } from './routes/order-groups.ts'
import { addOrderQueues } from './routes/order-queues.ts'
import { addOrders } from './routes/orders.ts'
import { addPlayers } from './routes/players.ts'
import { addPositions } from './routes/positions.ts'
import { addPublicMarkets, addPublicPages } from './routes/public-markets.ts'
import { addReconciliation } from './routes/reconciliation.ts'
import { Routes } from './routes/routes.ts'
import { addSettlementPreview } from './routes/settlement-preview.ts'
import { addSettlements } from './routes/settlements.ts'
import { addTrades } from './routes/trades.ts'
import { addTradingWindow } from './routes/trading-window.ts'
import { addWebhookDeliveries } from './routes/webhook-deliveries.ts'
import { addWebhooks } from './routes/webhooks.ts'

export type { Context as ServerOptions, Metrics } from './context.ts'

const headersTimeoutMs = 10_000
const requestTimeoutMs = 15_000
const keepAliveTimeoutMs = 72_000
/** How often the server checks for requests that exceed their timeout. */
const timeoutCheckMs = 1_000
/** Longer than any id, so that a long id is answered with 404 as well. */
const paramLengthMax = 8_192

const noHost = invalidField('host', 'is required in HTTP/1.1')

export function createServer(context: Context): FastifyInstance {
  const openRequests = new OpenRequests()
  const app = Fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      // Node would refuse without an envelope; see observe().
      requireHostHeader: false,
      shouldUpgradeCallback: isForStream,
    },
    trustProxy: false,
    requestIdHeader: false,
    genReqId: requestIdOf,
    // Answered by the hook below, in the envelope.
    return503OnClosing: false,
    routerOptions: { maxParamLength: paramLengthMax },
    frameworkErrors: onFrameworkError,
    clientErrorHandler: clientErrorHandler(openRequests),
  })
  openRequests.attach(app.server)
  app.decorate('openRequests', openRequests)
  app.decorate('acceptQueues', new AcceptQueues(app))
  app.decorate('refusalPace', new RefusalPace(context.reportFailure))
  app.decorateRequest('caller', null)
  app.decorateRequest('callerKey', null)
  app.decorateRequest('bucket', 'requests')
  app.decorateRequest('bodyCost', 0)
  app.decorateRequest('idempotencyKey', null)
  app.decorateRequest('answerHeaders')
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      return context.addresses.of(this.raw.socket.remoteAddress, this.headers)
    },
  })
  app.setValidatorCompiler(validatorCompiler())
  // The schemas of responses are only for the document; present/ makes the responses.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  const admission = new RestAdmission(context)
  readBodies(app, (request, bytes) => admission.chargeBody(request, bytes))
  observe(app, context)
  redirectToConsole(app, context)
  answerFaults(app, context)
  prepareDocument(app, context.version)
  app.register(async (scope) => addRoutes(scope, context, admission))
  return app
}

function observe(app: FastifyInstance, context: Context): void {
  const recordRequest = requestRecorder(context)
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    stamp(request)
    if (isClosing) refuse(reply, closing)
    else if (lacksHost(request)) refusePaced(reply, request.clientAddress, noHost)
    else done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    app.onAnswer(request, reply.statusCode)
    copyHeaders(request, reply)
    done(null, payload)
  })
  app.decorate('onStreamFailed', (request, error) => {
    context.reportFailure('rest', 'response stream failed', { ...logged(request), error })
  })
  app.decorate('onAnswer', (request: FastifyRequest, status: number) => {
    // A connection that stays open would delay the stop until its idle timeout.
    if (isClosing) request.answerHeaders.push('connection', 'close')
    const { method, id: requestId, startedAt } = request
    const { traceparent } = request.headers
    const route = request.routeOptions.url ?? 'none'
    const address = () => request.clientAddress
    recordRequest({ method, route, status, requestId, traceparent, startedAt, address })
  })
}

// HTTP/1.0 has no such header, and health checks of load balancers still use it.
function lacksHost({ headers, raw }: FastifyRequest): boolean {
  return headers.host === undefined && raw.httpVersion !== '1.0'
}

function fastPathOf(app: FastifyInstance, context: Context, admission: RestAdmission): FastPath {
  const recordRequest = requestRecorder(context)
  const fastPath = new FastPath({
    reportFailure: context.reportFailure,
    addresses: context.addresses,
    admission,
    refusalPace: app.refusalPace,
    recordRequest,
    idleMsMax: keepAliveTimeoutMs,
  })
  fastPath.attach(app.server)
  const drainLimit = new DrainLimit()
  drainLimit.attach(app.server)
  app.addHook('preClose', (done) => {
    drainLimit.start()
    app.refusalPace.close()
    fastPath.close()
    done()
  })
  return fastPath
}

function addRoutes(app: FastifyInstance, context: Context, admission: RestAdmission): void {
  const fastPath = fastPathOf(app, context, admission)
  const { audit, keptAnswers, shards } = context
  const routes = new Routes(app, { admission, fastPath, shards, keptAnswers, audit })
  addMarkets(routes, context)
  addMarketLists(routes, context)
  addLifecycle(routes)
  addTradingWindow(routes)
  addOrders(routes)
  addOrderBatches(routes, context)
  addOrderCancels(routes)
  addDeadMan(routes)
  addOrderGroups(routes)
  addOrderQueues(routes)
  addTrades(routes)
  addPositions(routes)
  addPlayers(routes)
  addSettlementPreview(routes)
  addSettlements(routes)
  addReconciliation(routes, context)
  addCategories(routes, context)
  addMarketData(routes, context)
  addDailyStatistics(routes, context)
  addPublicMarkets(routes, context)
  addCandles(routes, context)
  addWebhooks(routes, context)
  addWebhookDeliveries(routes, context)
  addEvents(routes, context)
  addOperators(routes, context)
  addCluster(routes, context)
  addMe(routes)
  addAudit(routes, context)
  addLimits(routes, context)
  addControls(routes, context)
  addExchangeControls(routes, context)
  addHealth(routes, context)
  const onRequest = admission.pages()
  addMetrics(app, context, onRequest)
  addConsole(app, context, onRequest)
  addGuide(app, context, onRequest)
  addPublicPages(app, context, { onPage: admission.public(), onFile: onRequest })
  addDocument(app, context, onRequest)
}
