// The guide: its built pages, served as they are. Only files found in its folder are served, by
// their exact path, so that no path leads out of the folder.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import type { Context } from '../context.ts'
import { type Pages, pagesOf } from '../page-files.ts'
import { setPagePolicy } from '../page-policy.ts'
import { refuse } from '../reply.ts'
import type { Hook } from '../rest-admission.ts'
import { sendPage } from '../send-page.ts'

const root = '/guide'

const notBuilt = new Refusal('NOT_FOUND', 'The guide is not built; run "npm run docs".')
const noPage = new Refusal('NOT_FOUND', 'No page of the guide has this path.')

export function addGuide(app: FastifyInstance, { guideFolder }: Context, onRequest: Hook): void {
  const readPages = pagesOf(guideFolder)
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const pages = await readPages()
    return pages === null ? refuse(reply, notBuilt) : send(pages, request, reply)
  }
  app.route({
    method: 'GET',
    url: root,
    onRequest,
    schema: {
      tags: ['Service'],
      operationId: 'getGuide',
      summary: 'Read the guide',
      security: [],
      response: {
        200: { description: 'Done.', content: { 'text/html': { schema: Type.String() } } },
      },
    },
    handler,
  })
  app.route({ method: 'GET', url: `${root}/*`, onRequest, schema: { hide: true }, handler })
}

function send(pages: Pages, request: FastifyRequest, reply: FastifyReply) {
  const path = request.url.replace(/[?#].*$/s, '').slice(root.length + 1)
  const name = path.replace(/\/$/, '')
  // Pages are addressed without their extension; files, such as the style, with it.
  const file = pages.get(name === '' ? 'index.html' : name) ?? pages.get(`${name}.html`)
  if (file === undefined) return refuse(reply, noPage)
  setPagePolicy(reply)
  return sendPage(file, request, reply)
}
