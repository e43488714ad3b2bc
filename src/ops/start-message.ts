// The text that the service prints when it has started: its addresses, and at the first start the
// commands for a first trade.

export type StartMessage = {
  readonly version: string
  readonly url: string
  /** Host and port. */
  readonly grpcAddress: string
  readonly dataDir: string
  /** null if the admin key was set in the environment. */
  readonly adminKeyPath: string | null
  /** The key of the operator `demo`; null except at the first start. */
  readonly demoKey: string | null
}

export function startMessage(start: StartMessage): string {
  const { version, url, grpcAddress, dataDir, adminKeyPath, demoKey } = start
  const lines = [
    `Outcry ${version} listens on ${url}`,
    `  console     ${url}/console`,
    `  reference   ${url}/docs`,
    `  gRPC        ${grpcAddress}`,
    `  data        ${dataDir}`,
  ]
  if (adminKeyPath !== null) lines.push(`  admin key   in ${adminKeyPath}`)
  if (demoKey !== null) lines.push('', ...firstTrade(url, demoKey))
  return `${lines.join('\n')}\n`
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
