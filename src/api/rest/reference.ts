// The reference at /docs: a page with a viewer that shows the OpenAPI document. The viewer is the
// script of @scalar/fastify-api-reference, compressed; its package would bring 23 MB more.

import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { pageOf } from './page-files.ts'
import type { Hook } from './rest-admission.ts'
import { sendPage } from './send-page.ts'

const root = '/docs'
const nonceBytes = 16
const hidden = { hide: true }

/** The scripts of the page: the viewer, which `npm run vendor:reference` copies, and its start. */
const scripts: Readonly<Record<string, URL>> = {
  'viewer.js': new URL('reference-page/viewer.js.gz', import.meta.url),
  'start.js': new URL('reference-page/start.js', import.meta.url),
}

/** Everything is served from here, and only styles with the nonce may be inline. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function pageWith(nonce: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Outcry API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="start.js" nonce="${nonce}"></script>
    <script src="viewer.js"></script>
  </body>
</html>
`
}

export function addReference(app: FastifyInstance, onRequest: Hook): void {
  app.route({
    method: 'GET',
    url: root,
    onRequest,
    schema: hidden,
    handler: (_request, reply) => reply.redirect(`${root}/`, 301),
  })
  app.route({
    method: 'GET',
    url: `${root}/`,
    onRequest,
    schema: hidden,
    handler: (_request, reply) => {
      const nonce = randomBytes(nonceBytes).toString('base64url')
      reply.header('content-security-policy', policyWith(nonce))
      reply.header('cache-control', 'no-store')
      return reply.type('text/html; charset=utf-8').send(pageWith(nonce))
    },
  })
  for (const [name, address] of Object.entries(scripts)) {
    addScript(app, { name, address, onRequest })
  }
}

type Script = { readonly name: string; readonly address: URL; readonly onRequest: Hook }

/** Read and compressed at the first request. */
function addScript(app: FastifyInstance, { name, address, onRequest }: Script): void {
  const read = pageOf(name, fileURLToPath(address))
  app.route({
    method: 'GET',
    url: `${root}/${name}`,
    onRequest,
    schema: hidden,
    handler: async (request, reply) => sendPage(await read(), request, reply),
  })
}
