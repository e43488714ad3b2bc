// The pages of the guide, in the order in which it lists them, and the document of each.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

export type Page = {
  /** Below /guide/; empty for the first page. */
  readonly path: string
  /** The document, from the root of the project. */
  readonly source: string
  /** Only this section of the document, as a page of its own. */
  readonly section?: string
  /** The name in the list of pages. */
  readonly name: string
}

export type Group = { readonly name: string; readonly pages: readonly Page[] }

const own = (path: string, name: string): Page => ({
  path,
  source: `docs/guide/${path === '' ? 'index' : path}.md`,
  name,
})
const other = (path: string, name: string, source = `docs/${path}.md`): Page => ({
  path,
  source,
  name,
})

export const groups: readonly Group[] = [
  {
    name: 'Start',
    pages: [
      own('', 'Overview'),
      own('tutorial', 'Tutorial'),
      other('about', 'About Outcry', 'README.md'),
      other('client', 'TypeScript client', 'client/README.md'),
      other('examples', 'Examples', 'examples/README.md'),
    ],
  },
  {
    name: 'Concepts',
    pages: [
      own('authentication', 'Authentication'),
      own('idempotency', 'Idempotency and retries'),
      own('pagination', 'Pagination'),
      own('errors', 'Errors'),
      own('webhooks', 'Webhooks'),
      own('events', 'Events and resume'),
      own('settlement', 'Settlement'),
      own('public-pages', 'Public pages'),
      own('trading-controls', 'Trading controls'),
      own('limits', 'Limits'),
      other('orders', 'Order options'),
      other('maker-safety', 'Maker safety'),
      other('settlement-records', 'Records of a settlement', 'docs/settlement.md'),
    ],
  },
  {
    name: 'Protocols',
    pages: [
      other('protocol/rest', 'REST conventions'),
      other('protocol/events', 'Event types'),
      other('protocol/webhooks', 'Webhook deliveries'),
      other('protocol/websocket', 'WebSocket'),
      other('protocol/grpc', 'gRPC'),
    ],
  },
  {
    name: 'Operation',
    pages: [
      other('operating', 'Operating guide'),
      other('cluster', 'Cluster'),
      own('tls-and-proxies', 'TLS and proxies'),
      own('sizing', 'Sizing'),
      own('upgrades', 'Upgrades'),
      other('versions', 'Versions'),
      other('deploy', 'Containers and systemd', 'deploy/README.md'),
      other('changelog', 'Changelog', 'CHANGELOG.md'),
    ],
  },
  {
    name: 'Background',
    pages: [
      { ...other('glossary', 'Glossary', 'STYLE.md'), section: 'Glossary' },
      other('testing', 'Tests'),
      other('decisions', 'Decisions', 'docs/decisions/README.md'),
    ],
  },
]

/** Pages that only other pages link to. */
export function unlistedPages(root: string): Page[] {
  const files = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d.*\.md$/.test(name))
  return files.sort().map((file) => {
    const path = `decisions/${file.slice(0, -'.md'.length)}`
    return other(path, `Decision ${file.slice(0, 4)}`)
  })
}
