// The web console: its built files, served as they are. Only files found in its folder are served,
// by their exact path, so that no path leads out of the folder.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import type { Context } from '../context.ts'
import { type Pages, pagesOf } from '../page-files.ts'
import { setPagePolicy } from '../page-policy.ts'
import { refuse } from '../reply.ts'
import type { Hook } from '../rest-admission.ts'
import { sendPage } from '../send-page.ts'

const root = '/console'

const notBuilt = new Refusal(
  'NOT_FOUND',
  'The console is not built; install the development dependencies and run ' +
    '"npm run console:build", or copy console/dist from an install that has them.',
)
const noFile = new Refusal('NOT_FOUND', 'No file of the console has this path.')

export function addConsole(
  app: FastifyInstance,
  { consoleFolder }: Context,
  onRequest: Hook,
): void {
  const readPages = pagesOf(consoleFolder)
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
      operationId: 'getConsole',
      summary: 'Open the web console',
      security: [],
      response: {
        200: { description: 'Done.', content: { 'text/html': { schema: Type.String() } } },
      },
    },
    handler,
  })
  app.route({ method: 'GET', url: `${root}/*`, onRequest, schema: { hide: true }, handler })
}

/** Redirects browsers from / to the console. It is not a route: other clients get NOT_FOUND. */
export function redirectToConsole(app: FastifyInstance, { consoleFolder }: Context): void {
  const index = join(consoleFolder, 'index.html')
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && isBrowserAtRoot(request) && existsSync(index)) {
      reply.header('vary', 'accept').redirect(root)
    } else {
      done()
    }
  })
}

function isBrowserAtRoot({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return /^\/(?:$|\?)/.test(url) && (headers.accept ?? '').includes('text/html')
}

function send(pages: Pages, request: FastifyRequest, reply: FastifyReply) {
  const name = request.url.replace(/[?#].*$/s, '').slice(root.length + 1)
  // A name with a dot is a file; any other is a view of the single page, which routes it itself.
  const file = pages.get(name.includes('.') ? name : 'index.html')
  if (file === undefined) return refuse(reply, noFile)
  setPagePolicy(reply)
  return sendPage(file, request, reply)
}
