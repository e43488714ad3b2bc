// The text that the service prints when it has started: its addresses, at the first start the
// commands for a first trade, and at later ones how to get another key.

export type StartMessage = {
  readonly version: string
  readonly url: string
  /** Host and port. */
  readonly grpcAddress: string
  /** null if the metrics have no port of their own. */
  readonly metricsUrl: string | null
  /** Whether other machines can reach the service at any address of this one. */
  readonly isOnAllInterfaces: boolean
  /** Whether the console is built. */
  readonly hasConsole: boolean
  /** Whether the guide is built. */
  readonly hasGuide: boolean
  readonly dataDir: string
  /** null if the admin key was set in the environment. */
  readonly adminKeyPath: string | null
  /** The operator `demo`; null if there is none. */
  readonly demo: DemoOperator | null
}

/** The key is null except at the first start. */
export type DemoOperator = { readonly id: string; readonly key: string | null }

export function startMessage(start: StartMessage): string {
  const { version, url, grpcAddress, dataDir, adminKeyPath, demo } = start
  const lines = [`Outcry ${version} listens on ${url}`]
  if (start.hasConsole) lines.push(`  console     ${url}/console`)
  if (start.hasGuide) lines.push(`  guide       ${url}/guide`)
  lines.push(
    `  reference   ${url}/docs`,
    `  gRPC        ${grpcAddress}`,
    `  data        ${dataDir}`,
  )
  if (start.metricsUrl !== null) lines.push(`  metrics     ${start.metricsUrl}`)
  if (adminKeyPath !== null) lines.push(`  admin key   in ${adminKeyPath}`)
  if (start.isOnAllInterfaces) {
    lines.push(
      'It listens on all interfaces, so other machines can reach it; ' +
        'set HOST=127.0.0.1 to change that.',
    )
  }
  if (demo !== null && demo.key !== null) lines.push('', ...firstTrade(url, demo.key))
  else if (demo !== null) lines.push('', ...anotherKey(url, demo.id, adminKeyPath))
  return `${lines.join('\n')}\n`
}

function anotherKey(url: string, operatorId: string, adminKeyPath: string | null): string[] {
  const adminKey = adminKeyPath === null ? '$ADMIN_API_KEY' : `$(cat ${quoted(adminKeyPath)})`
  const headers = `-H "X-Admin-Key: ${adminKey}" -H "Content-Type: application/json"`
  const path = `/api/v1/admin/operators/${operatorId}/keys`
  return [
    'The key of the operator "demo" was printed at the first start. Paste this to create another:',
    '',
    `  curl -s ${headers} -d '{"label":"another"}' ${url}${path}`,
  ]
}

// For a shell, also within double quotes and a command substitution.
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

// Can be pasted into any shell with curl and the POSIX text tools.
function firstTrade(url: string, key: string): string[] {
  return [
    'The operator "demo" was created. Its key is shown only once:',
    '',
    `  export URL=${url} KEY=${key}`,
    '',
    'Paste this to create a market, open it and see a first trade:',
    '',
    '  api() { curl -s -H "X-Api-Key: $KEY" -H "Content-Type: application/json" "$@"; echo; }',
    `  IDS=$(api $URL/api/v1/markets -d '{"title":"Will it rain tomorrow?"}' | ${idsOf})`,
    '  MARKET=$(echo "$IDS" | sed -n 1p); YES=$(echo "$IDS" | sed -n 2p)',
    '  api -X POST $URL/api/v1/markets/$MARKET/open',
    `  api $URL/api/v1/markets/$MARKET/mint -d '{"playerId":"alice","shares":100}'`,
    `  api $URL/api/v1/orders -d '${order('alice', 'SELL')}'`,
    `  api $URL/api/v1/orders -d '${order('bob', 'BUY')}'`,
    '  api "$URL/api/v1/positions?playerId=bob"',
  ]
}

const idsOf = `grep -o '"id":"[^"]*"' | cut -d'"' -f4`

function order(playerId: string, side: string): string {
  const ids = `"marketId":"'$MARKET'","outcomeId":"'$YES'"`
  return `{${ids},"playerId":"${playerId}","side":"${side}","type":"LIMIT","shares":10,"price":0.6}`
}
