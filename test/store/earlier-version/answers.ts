// What the service answers about all that is stored, asked for in every way that has an index or a
// list of its own; and whether another version answers the same.

import assert from 'node:assert/strict'
import type { OperatorClient } from '../../support/http/operator-client.ts'
import type { Json, Service } from '../../support/process/outcry-process.ts'

export type Caller = 'harbour' | 'lagoon' | 'admin' | 'nobody'
export type StoredAnswer = {
  readonly by: Caller
  readonly path: string
  readonly status: number
  readonly body: Json
}
export type Callers = {
  readonly service: Service
  /** Of operators, and of the administrator. */
  readonly keys: Readonly<Record<Exclude<Caller, 'nobody'>, string>>
}

const lists = ['/orders', '/trades', '/positions', '/settlements']
const whole = 'limit=1000'

/** Every answer about what those operators see. */
export async function readAnswers(
  callers: Callers,
  operators: Readonly<Record<'harbour' | 'lagoon', OperatorClient>>,
): Promise<StoredAnswer[]> {
  const answers: StoredAnswer[] = []
  const ask = async (by: Caller, path: string) => {
    const { status, body } = await askAs(callers, by, path)
    answers.push({ by, path, status, body: withoutMessage(body) })
    return body.data
  }
  await ask('admin', '/admin/operators')
  for (const by of ['harbour', 'lagoon'] as const) {
    await ask('admin', `/admin/operators/${operators[by].id}/keys`)
    for (const path of lists) await ask(by, `${path}?${whole}`)
    for (const path of ['/stats/overview', '/webhooks', '/categories?activeOnly=false']) {
      await ask(by, path)
    }
    await ask(by, `/orders?status=PENDING,PARTIAL&${whole}`)
    const { nextCursor } = await ask(by, '/orders?limit=7')
    await ask(by, `/orders?limit=7&cursor=${nextCursor}`)
    for (const path of pathsOfPlayers(await ask(by, '/positions'))) await ask(by, path)
    for (const path of ['search=σευς', 'status=OPEN,SETTLED']) await ask(by, `/markets?${path}`)
    const { markets } = await ask(by, `/markets?shared=true&${whole}`)
    for (const market of markets) {
      for (const path of pathsOfMarket(market)) await ask(by, path)
      for (const path of publicPathsOf(market)) await ask('nobody', path)
    }
    await ask(by, '/events?eventType=ORDER_AMENDED')
    for (let page: Json = null; page?.hasMore !== false; ) {
      page = await ask(by, `/events?since=${page?.lastSequence ?? 0}&${whole}`)
    }
  }
  return answers.map(withoutTimestamp)
}

function pathsOfPlayers(positions: readonly Json[]): string[] {
  const players: ReadonlySet<string> = new Set(positions.map(({ playerId }) => playerId))
  return [...players].flatMap((player) => [
    `/players/${player}/exposure`,
    ...['/orders', '/positions', '/settlements'].map((path) => `${path}?playerId=${player}`),
    `/orders?playerId=${player}&status=PENDING,PARTIAL`,
  ])
}

function pathsOfMarket({ id, outcomes }: Json): string[] {
  return [
    ...['', '/reconciliation', '/settlement-status'].map((path) => `/markets/${id}${path}`),
    ...[...lists, '/events'].map((path) => `${path}?marketId=${id}&${whole}`),
    ...outcomes.map((outcome: Json) => `/trades?outcomeId=${outcome.id}`),
  ]
}

function publicPathsOf({ id, outcomes }: Json): string[] {
  const ofOutcomes = outcomes.flatMap((outcome: Json) => [
    `orderbook/${outcome.id}?depth=1000&implied=true`,
    ...['1m', '5m', '1h', '1d'].map((interval) => `candles/${outcome.id}?interval=${interval}`),
    `trades/${outcome.id}`,
  ])
  return ['prices', ...ofOutcomes].map((path) => `/markets/${id}/${path}`)
}

/** How a refusal is worded may change. */
export function withoutMessage(body: Json): Json {
  if (body.error === undefined) return body
  const { message: _, ...error } = body.error
  return { ...body, error }
}

/** A book says when it was asked for. */
function withoutTimestamp({ body, ...answers }: StoredAnswer): StoredAnswer {
  if (!answers.path.includes('/orderbook/') || body.data === undefined) return { ...answers, body }
  const { timestamp: _, ...data } = body.data
  return { ...answers, body: { ...body, data } }
}

/**
 * Without the settlement status of other operators' markets, which earlier versions counted over
 * all operators.
 */
export function stillTheSame(
  answers: readonly StoredAnswer[],
  ids: Readonly<Partial<Record<Caller, string>>>,
): readonly StoredAnswer[] {
  const owners = new Map<string, string>()
  for (const { path, body } of answers) {
    const { data } = body
    if (path === `/markets/${data?.id}`) owners.set(`${path}/settlement-status`, data.operatorId)
  }
  return answers.filter(({ by, path }) => !owners.has(path) || owners.get(path) === ids[by])
}

export async function assertSameAnswer(
  callers: Callers,
  { by, path, ...answers }: StoredAnswer,
): Promise<void> {
  const { status, body } = await askAs(callers, by, path)
  assert.deepEqual({ status, body: knownPart(body, answers.body) }, answers, `${by}: ${path}`)
}

/** Of objects only the fields that the earlier version had; lists stay as they are. */
export function knownPart(present: Json, earlier: Json): Json {
  if (Array.isArray(present) && Array.isArray(earlier)) {
    return present.map((item, at) => (at < earlier.length ? knownPart(item, earlier[at]) : item))
  }
  if (!isObject(present) || !isObject(earlier)) return present
  const fields = Object.entries(present).filter(([name]) => name in earlier)
  return Object.fromEntries(fields.map(([name, item]) => [name, knownPart(item, earlier[name])]))
}

function isObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function askAs({ service, keys }: Callers, by: Caller, path: string) {
  if (by === 'nobody') return service.request('GET', `/api/v1${path}`)
  const header = by === 'admin' ? 'x-admin-key' : 'x-api-key'
  return service.request('GET', `/api/v1${path}`, { headers: { [header]: keys[by] } })
}
