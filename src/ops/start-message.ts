// What a start says to whoever started it: where the service listens, and on the first start of
// all the commands that lead to a first trade.

export type StartMessage = {
  readonly version: string
  readonly url: string
  /** Host and port. */
  readonly grpcAddress: string
  readonly dataDir: string
  /** Where the administrator's key was made; null where it was given. */
  readonly adminKeyPath: string | null
  /** The key of the operator that a first start makes; null on any other start. */
  readonly demoKey: string | null
}

export function startMessage(addParticipant: StartMessage): string {
  const lines = [
    `Outcry ${addParticipant.version} listens on ${addParticipant.url}`,
    `  console     ${addParticipant.url}/console`,
    `  reference   ${addParticipant.url}/docs`,
    `  gRPC        ${addParticipant.grpcAddress}`,
    `  data        ${addParticipant.dataDir}`,
  ]
  if (addParticipant.adminKeyPath !== null)
    lines.push(`  admin key   in ${addParticipant.adminKeyPath}`)
  if (addParticipant.demoKey !== null)
    lines.push('', ...firstTrade(addParticipant.url, addParticipant.demoKey))
  return `${lines.join('\n')}\n`
}

// Pasted into a shell as they are; only curl and the usual text tools are needed.
function firstTrade(url: string, key: string): string[] {
  return [
    'An operator "demo" was made. Its key is shown this once:',
    '',
    `  export URL=${url} KEY=${key}`,
    '',
    'Paste this to create a market, open it and see a first trade:',
    '',
    '  ask() { curl -s -H "X-Api-Key: $KEY" -H "Content-Type: application/json" "$@"; echo; }',
    `  IDS=$(ask $URL/api/v1/markets -d '{"title":"Will it rain tomorrow?"}' | ${idsOf})`,
    '  MARKET=$(echo "$IDS" | sed -n 1p); YES=$(echo "$IDS" | sed -n 2p)',
    '  ask -X POST $URL/api/v1/markets/$MARKET/open',
    `  ask $URL/api/v1/markets/$MARKET/mint -d '{"playerId":"alice","shares":100}'`,
    `  ask $URL/api/v1/orders -d '${order('alice', 'SELL')}'`,
    `  ask $URL/api/v1/orders -d '${order('bob', 'BUY')}'`,
    '  ask "$URL/api/v1/positions?playerId=bob"',
  ]
}

const idsOf = `grep -o '"id":"[^"]*"' | cut -d'"' -f4`

function order(playerId: string, side: string): string {
  const ids = `"marketId":"'$MARKET'","outcomeId":"'$YES'"`
  return `{${ids},"playerId":"${playerId}","side":"${side}","type":"LIMIT","shares":10,"price":0.6}`
}
