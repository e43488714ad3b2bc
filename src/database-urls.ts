// DATABASE_URL names one PostgreSQL server or several, a primary and its standbys, as whole URLs
// that are separated by commas.

const serversMax = 5
const defaultPort = '5432'

/** A comma may be part of a password, so that one only counts before the next URL. */
export function urlsOf(setting: string): readonly string[] {
  return setting.split(/\s*,\s*(?=postgres(?:ql)?:\/\/)/)
}

export function isDatabaseUrl(text: string): boolean {
  const url = /^postgres(?:ql)?:\/\//.test(text) && !/[\s,]$/.test(text) ? URL.parse(text) : null
  return url !== null && (url.hostname !== '' || url.searchParams.has('host'))
}

/** What is wrong with several URLs, each of which is valid; completes "DATABASE_URL must ...". */
export function conflictOf(urls: readonly string[]): string | null {
  if (urls.length > serversMax) return `name at most ${serversMax} servers, got ${urls.length}`
  const databases = new Set(urls.map((url) => JSON.stringify(databaseIn(url))))
  if (databases.size > 1) {
    return `name the same database at every server, got ${[...databases].join(' and ')}`
  }
  const servers = urls.map(serverIn)
  const twice = servers.find((server, at) => servers.indexOf(server) < at)
  return twice === undefined ? null : `name each server once, got ${twice} twice`
}

/** Where a server is, without user and password. */
export function addressOf(url: string): string {
  const { host = '', pathname = '' } = URL.parse(url) ?? {}
  return `${host}${pathname}`
}

function databaseIn(url: string): string {
  return decodeURIComponent(URL.parse(url)?.pathname.slice(1) ?? '')
}

function serverIn(url: string): string {
  const { hostname = '', port = '', searchParams } = URL.parse(url) ?? {}
  const host = hostname || (searchParams?.get('host') ?? '')
  return `${host}:${port || (searchParams?.get('port') ?? defaultPort)}`
}
