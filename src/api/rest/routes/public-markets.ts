// Markets that anybody may read: as JSON, and as a page that may also be embedded in other sites.

import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPublic } from '../../../core/state/access.ts'
import type { RecordStore } from '../../../store/store.ts'
import { refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { serialOf } from '../../parse/serial.ts'
import { presentPublicMarket } from '../../present/public-market.ts'
import { named } from '../../schemas/fields.ts'
import { PublicMarket } from '../../schemas/public-market.ts'
import type { ShardAccess } from '../../shards.ts'
import type { Context } from '../context.ts'
import { pageOf } from '../page-files.ts'
import { setPagePolicy } from '../page-policy.ts'
import { marketPage, notFoundPage, root } from '../public-page/render.ts'
import type { Hook } from '../rest-admission.ts'
import { sendPage } from '../send-page.ts'
import type { Routes } from './routes.ts'

export function addPublicMarkets(routes: Routes, { shards }: Context): void {
  routes.public(
    {
      method: 'GET',
      path: '/api/v1/public/markets/:marketId',
      tag: 'Market data',
      name: 'getPublicMarket',
      summary: 'Get a market that has a public page',
      description: 'Of any other market, and of a DRAFT, it says that there is none.',
      answer: named(PublicMarket),
      errors: ['MARKET_NOT_FOUND'],
    },
    async ({ params, readsIn }) => {
      const shard = shards.ofId(params.marketId)
      const market = await publicMarket(shard, readsIn(shard), params.marketId)
      return market === null ? refusalOf({ code: 'MARKET_NOT_FOUND' }) : new Done(market)
    },
  )
}

/** null for a market without a public page, as for one that does not exist. */
async function publicMarket(
  { ids, submit }: ShardAccess,
  reads: RecordStore,
  id: string,
): Promise<PublicMarket | null> {
  const marketSerial = serialOf(ids, id)
  const market = await reads.market(marketSerial)
  if (market === null || !market.hasPublicPage || !isPublic(market)) return null
  const prices = await submit('prices', { marketSerial, outcomeSerial: null })
  return prices.isAccepted ? presentPublicMarket(ids, market, prices.answer) : null
}

type Hooks = { readonly onPage: Hook; readonly onFile: Hook }

export function addPublicPages(app: FastifyInstance, context: Context, hooks: Hooks): void {
  for (const isEmbedded of [false, true]) {
    app.route<{ Params: { id: string } }>({
      method: 'GET',
      url: isEmbedded ? `${root}/:id/embed` : `${root}/:id`,
      onRequest: hooks.onPage,
      schema: { hide: true },
      handler: async (request, reply) => {
        const { id } = request.params
        const shard = context.shards.ofId(id)
        const reads = readsFor(shard, request)
        const market = await publicMarket(shard, reads, id)
        return sendHtml(reply, { market, isEmbedded })
      },
    })
  }
  for (const name of ['page.css', 'page.js', 'figures.js']) addFile(app, name, hooks.onFile)
}

function readsFor(shard: ShardAccess, { clientAddress, raw }: FastifyRequest): RecordStore {
  return shard.readsFor({ party: clientAddress, isGone: () => raw.socket.destroyed })
}

type Shown = { readonly market: PublicMarket | null; readonly isEmbedded: boolean }

function sendHtml(reply: FastifyReply, { market, isEmbedded }: Shown) {
  setPagePolicy(reply, isEmbedded ? '*' : "'none'")
  reply.header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  reply.type('text/html; charset=utf-8')
  if (market === null) return reply.code(404).send(notFoundPage())
  return reply.send(marketPage({ market, isEmbedded }))
}

/** Read and compressed at the first request. */
function addFile(app: FastifyInstance, name: string, onRequest: Hook): void {
  const path = fileURLToPath(new URL(`../public-page/${name}`, import.meta.url))
  const read = pageOf(name, path)
  app.route({
    method: 'GET',
    url: `${root}/${name}`,
    onRequest,
    schema: { hide: true },
    handler: async (request, reply) => sendPage(await read(), request, reply),
  })
}
