// Which node owns which shard: the heads of all shards, read in one statement.

import pg from 'pg'
import type { ShardDirectory, ShardState, Takeover, TakeoverReason } from '../shard-directory.ts'
import { type Cells, numberOf, type StoredCell, textOf } from '../sql/cells.ts'
import { StoreUnavailable } from '../store.ts'
import { type Client, openClient } from './connection.ts'
import { reasonOf } from './failure-text.ts'
import { successorMs } from './lease.ts'
import { nodeIdOf } from './owner.ts'
import type { ShardSchema } from './shard-schema.ts'

const channel = 'outcry_shards'
const takeoversShown = 20
const takeoversKept = 1_000
const answerMsMax = 2_000

export class PostgresShardDirectory implements ShardDirectory {
  readonly #url: string
  readonly #listText: string
  #client: Client | null = null
  #last: Promise<unknown> = Promise.resolve()
  #onChange: () => void = () => undefined
  #isClosed = false

  constructor(url: string, schemas: readonly ShardSchema[]) {
    this.#url = url
    this.#listText = schemas.map(headText).join(' UNION ALL ').concat(' ORDER BY shard')
  }

  async list(): Promise<readonly ShardState[]> {
    return (await this.#query(this.#listText)).map(stateOf)
  }

  async pin(shard: number, nodeId: string | null): Promise<void> {
    await this.#query('UPDATE shards SET pinned_to = $2 WHERE shard = $1', [shard, nodeId])
    await this.announce()
  }

  async addTakeover(takeover: Omit<Takeover, 'at'>): Promise<void> {
    const { shard, fromNodeId, toNodeId, reason, tookMs } = takeover
    await this.#query(
      `INSERT INTO takeovers (shard, from_node, to_node, reason, at, took_ms)
       VALUES ($1, $2, $3, $4, clock_timestamp(), $5)`,
      [shard, fromNodeId, toNodeId, reason, Math.round(tookMs)],
    )
    await this.#query(
      `DELETE FROM takeovers
       WHERE takeover <= (SELECT max(takeover) FROM takeovers) - ${takeoversKept}`,
    )
    await this.announce()
  }

  async takeovers(): Promise<readonly Takeover[]> {
    const rows = await this.#query(
      `SELECT shard, from_node, to_node, reason, took_ms,
         (extract(epoch FROM at) * 1000)::bigint AS at
       FROM takeovers ORDER BY takeover DESC LIMIT ${takeoversShown}`,
    )
    return rows.map((cells) => ({
      shard: numberOf(cells.shard),
      fromNodeId: textOrNull(cells.from_node),
      toNodeId: textOf(cells.to_node),
      reason: textOf(cells.reason) as TakeoverReason,
      at: numberOf(cells.at),
      tookMs: numberOf(cells.took_ms),
    }))
  }

  async announce(): Promise<void> {
    await this.#query(`NOTIFY ${channel}`)
  }

  listen(onChange: () => void): void {
    this.#onChange = onChange
  }

  /** Waits for the pending queries. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#last
    this.#drop()
  }

  /** One after the other. */
  #query(text: string, values: readonly unknown[] = []): Promise<readonly Cells[]> {
    const rows = this.#last.then(() => this.#queryNow(text, values))
    this.#last = rows.catch(() => undefined)
    return rows
  }

  async #queryNow(text: string, values: readonly unknown[]): Promise<readonly Cells[]> {
    if (this.#isClosed) throw new StoreUnavailable('The store is closed.')
    try {
      const client = this.#client ?? (await this.#connect())
      const query = { text, values: [...values], query_timeout: answerMsMax }
      const { rows } = await client.query<Cells>(query)
      return rows
    } catch (cause) {
      // A connection that does not answer is not used again.
      this.#drop()
      throw new StoreUnavailable(`PostgreSQL cannot be reached: ${reasonOf(cause)}.`, { cause })
    }
  }

  async #connect(): Promise<Client> {
    const client = await openClient(this.#url)
    this.#client = client
    client.on('notification', () => this.#onChange())
    client.on('end', () => {
      if (this.#client === client) this.#client = null
    })
    const query = { text: `LISTEN ${channel}`, query_timeout: answerMsMax }
    await client.query(query)
    return client
  }

  #drop(): void {
    const client = this.#client
    this.#client = null
    void client?.end().catch(() => undefined)
  }
}

function headText({ schema, home, shard }: ShardSchema): string {
  const [head, shards] = [`${pg.escapeIdentifier(schema)}.head`, pg.escapeIdentifier(home)]
  return `(SELECT ${shard}::bigint AS shard, head.epoch, head.owner,
    head.lease_until > clock_timestamp() AS is_held,
    CASE WHEN head.lease_until > '-infinity'
      THEN (extract(epoch FROM head.lease_until) * 1000)::bigint END AS lease_until,
    CASE WHEN head.released_at > clock_timestamp() - interval '${successorMs} milliseconds'
      THEN head.successor END AS successor,
    shards.pinned_to
  FROM ${head} AS head, ${shards}.shards AS shards WHERE shards.shard = ${shard})`
}

function stateOf(cells: Cells): ShardState {
  const lastNodeId = nodeIdOf(textOf(cells.owner))
  const isHeld: unknown = cells.is_held
  return {
    shard: numberOf(cells.shard),
    epoch: numberOf(cells.epoch),
    nodeId: isHeld === true ? lastNodeId : null,
    lastNodeId: lastNodeId === '' ? null : lastNodeId,
    leaseUntil: cells.lease_until === null ? null : numberOf(cells.lease_until),
    successor: textOrNull(cells.successor),
    pinnedTo: textOrNull(cells.pinned_to),
  }
}

function textOrNull(cell: StoredCell | undefined): string | null {
  return cell === null || cell === undefined ? null : textOf(cell)
}
