// The nodes of a cluster in PostgreSQL, whose clock decides which of them are alive. Beats have a
// connection of their own, so that they wait for nothing else.

import { assert } from '../../core/assert.ts'
import {
  type Beat,
  type BeatAnswer,
  type NodeInfo,
  type NodeRow,
  type NodeState,
  type NodeStore,
  nodeAliveMs,
} from '../node-store.ts'
import { SetupProblem, StoreCannotOpen } from '../start-errors.ts'
import { StoreUnavailable } from '../store.ts'
import { type Client, inTransaction, openClient } from './connection.ts'
import { reasonOf } from './failure-text.ts'
import { isRolledBack } from './failures.ts'
import { isSameFolder } from './owner.ts'
import { registryChannel } from './registry-store.ts'
import { WriteConnection } from './write-connection.ts'

const aliveText = `clock_timestamp() + interval '${nodeAliveMs} milliseconds'`
const unixMs = (time: string) => `round(extract(epoch FROM ${time}) * 1000)::bigint`
/** A server that is silent for longer is asked again, over a new connection. */
const answerMsMax = 1_000
const listenAgainMs = 1_000
const changesKept = `interval '1 day'`
const deadNodesKept = `interval '1 day'`
const pruneMax = 1_000

/** Until a process that may be alive beats, or counts as dead. */
const joinAgainMs = 250

type LiveProcess = {
  readonly node: string
  readonly incarnation: string
  readonly address: string
  readonly settingsHash: string
  readonly until: string
}

type BeatRow = {
  readonly version: number
  readonly state: NodeState
  readonly now: number
}

export class PostgresNodes implements NodeStore {
  readonly #url: string
  readonly #self: NodeInfo
  readonly #beats: WriteConnection
  readonly #others: WriteConnection
  #listener: Client | null = null
  #listenTimer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(url: string, self: NodeInfo) {
    this.#url = url
    this.#self = self
    this.#beats = new WriteConnection(url, null)
    this.#others = new WriteConnection(url, null)
  }

  async join(beat: Beat): Promise<void> {
    const join = (client: Client) => inTransaction(client, () => this.#join(client, beat))
    let seen: LiveProcess | null = null
    for (;;) {
      const other: LiveProcess | null = await this.#ask(this.#others, join)
      if (other === null) return
      if (seen !== null && seen.until !== other.until) throw sameNode(other.address)
      seen = other
      await new Promise((resolve) => setTimeout(resolve, joinAgainMs))
    }
  }

  /** Returns a process of another folder with the same id, if one may be alive. */
  async #join(client: Client, beat: Beat): Promise<LiveProcess | null> {
    const { node, incarnation, address, settingsHash, ...self } = this.#self
    // Of two nodes that join at once, the second sees the first.
    await client.query('LOCK TABLE nodes IN SHARE ROW EXCLUSIVE MODE')
    const alive = await client.query<LiveProcess>(
      `SELECT node, incarnation, address, settings_hash AS "settingsHash",
         alive_until::text AS until
       FROM nodes WHERE alive_until > clock_timestamp()`,
    )
    const isOther = (row: LiveProcess) => row.node !== node && row.settingsHash !== settingsHash
    const different = alive.rows.find(isOther)
    if (different !== undefined) throw otherSettings(different.address)
    const own = alive.rows.find((row) => row.node === node)
    if (own !== undefined && !isSameFolder(incarnation, own.incarnation)) return own
    await client.query(
      `INSERT INTO nodes VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${aliveText}, $11)
       ON CONFLICT (node) DO UPDATE SET incarnation = excluded.incarnation,
         address = excluded.address, version = excluded.version, protocol = excluded.protocol,
         engine_version = excluded.engine_version, settings_hash = excluded.settings_hash,
         shards_max = excluded.shards_max, state = excluded.state,
         registry_seen = excluded.registry_seen, alive_until = excluded.alive_until,
         load = excluded.load`,
      [
        node,
        incarnation,
        address,
        self.version,
        self.protocol,
        self.engineVersion,
        settingsHash,
        self.shardsMax,
        beat.state,
        beat.registrySeen,
        JSON.stringify(beat.load),
      ],
    )
    return null
  }

  beat({ registrySeen, load, state }: Beat): Promise<BeatAnswer> {
    const { node, incarnation } = this.#self
    return this.#ask(this.#beats, async (client) => {
      const { rows } = await client.query<BeatRow>({
        name: 'beat',
        text: `UPDATE nodes
          SET alive_until = ${aliveText}, registry_seen = $3, load = $4,
            state = CASE WHEN $5 = 'ACTIVE' AND state = 'DRAINING' THEN state ELSE $5 END
          WHERE node = $1 AND incarnation = $2
          RETURNING state, (SELECT version FROM registry) AS version,
            ${unixMs('clock_timestamp()')} AS now`,
        values: [node, incarnation, registrySeen, JSON.stringify(load), state],
      })
      const [row] = rows
      if (row !== undefined) {
        return { kind: 'ALIVE', registryVersion: row.version, state: row.state, now: row.now }
      }
      const found = await client.query('SELECT 1 FROM nodes WHERE node = $1', [node])
      return { kind: found.rowCount === 0 ? 'REMOVED' : 'REPLACED' }
    })
  }

  list(): Promise<readonly NodeRow[]> {
    return this.#ask(this.#others, async (client) => {
      const { rows } = await client.query<Record<string, string | number | boolean>>({
        name: 'list nodes',
        text: `SELECT node, incarnation, address, version, protocol, engine_version, settings_hash,
            shards_max, state, registry_seen, load, ${unixMs('alive_until')} AS alive_until,
            alive_until > clock_timestamp() AS is_alive
          FROM nodes ORDER BY node`,
      })
      return rows.map(nodeRow)
    })
  }

  drain(node: string): Promise<boolean> {
    return this.#ask(this.#others, async (client) => {
      const { rowCount } = await client.query(
        `UPDATE nodes SET state = CASE state WHEN 'LEAVING' THEN state ELSE 'DRAINING' END
         WHERE node = $1 AND alive_until > clock_timestamp()`,
        [node],
      )
      // So that the node learns of it before its next beat is due.
      await client.query(`NOTIFY ${registryChannel}`)
      return rowCount === 1
    })
  }

  registrySeenByOthers(): Promise<number | null> {
    return this.#ask(this.#others, async (client) => {
      const { rows } = await client.query<{ seen: number | null }>({
        name: 'registry seen',
        text: `SELECT min(registry_seen) AS seen FROM nodes
          WHERE node <> $1 AND alive_until > clock_timestamp()`,
        values: [this.#self.node],
      })
      return rows[0]?.seen ?? null
    })
  }

  async prune(): Promise<void> {
    await this.#ask(this.#others, async (client) => {
      await client.query(
        `DELETE FROM registry_changes WHERE version <= (
           SELECT max(version) FROM
             (SELECT version, changed_at FROM registry_changes ORDER BY version LIMIT $1) AS oldest
           WHERE changed_at < clock_timestamp() - ${changesKept})`,
        [pruneMax],
      )
      await client.query(
        `DELETE FROM nodes WHERE alive_until < clock_timestamp() - ${deadNodesKept}`,
      )
    })
  }

  async leave(): Promise<void> {
    const { node, incarnation } = this.#self
    await this.#ask(this.#others, (client) =>
      client.query('DELETE FROM nodes WHERE node = $1 AND incarnation = $2', [node, incarnation]),
    )
  }

  listen(onChange: () => void): void {
    assert(this.#listenTimer === null, 'the nodes have one listener')
    const again = () => {
      if (!this.#isClosed) this.#listenTimer = setTimeout(connect, listenAgainMs).unref()
    }
    const connect = async () => {
      try {
        const client = await openClient(this.#url)
        this.#listener = client
        client.on('end', again)
        client.on('notification', onChange)
        await client.query(`LISTEN ${registryChannel}`)
        if (this.#isClosed) this.#endListener()
      } catch {
        if (this.#listener === null) again()
        else this.#endListener()
      }
    }
    this.#listenTimer = setTimeout(connect, 0).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#listenTimer !== null) clearTimeout(this.#listenTimer)
    this.#endListener()
    await Promise.all([this.#beats.close(), this.#others.close()])
  }

  /** Its end leads to a new connection, unless the store is closed. */
  #endListener(): void {
    const client = this.#listener
    this.#listener = null
    if (client !== null) void client.end().catch(() => undefined)
  }

  async #ask<Answer>(
    connection: WriteConnection,
    work: (client: Client) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await connection.call((client) => withinTime(connection, () => work(client)))
    } catch (cause) {
      if (cause instanceof SetupProblem || cause instanceof StoreUnavailable) throw cause
      if (isRolledBack(cause)) throw cause
      throw new StoreUnavailable(`PostgreSQL does not answer: ${reasonOf(cause)}.`, { cause })
    }
  }
}

/** Drops the connection, so that the work fails, if it takes too long. */
async function withinTime<Answer>(
  connection: WriteConnection,
  work: () => Promise<Answer>,
): Promise<Answer> {
  let isDone = false
  const dropUnlessDone = () => {
    if (!isDone) connection.drop()
  }
  // If this process was busy or frozen, the answer may have arrived and wait to be read.
  const timer = setTimeout(() => setImmediate(dropUnlessDone), answerMsMax)
  try {
    return await work()
  } finally {
    isDone = true
    clearTimeout(timer)
  }
}

function sameNode(address: string): StoreCannotOpen {
  return new StoreCannotOpen(
    `DATA_DIR is a copy of the folder of the node at ${address}, which is running; delete ` +
      'place.id in the copy to make it another node.',
  )
}

function otherSettings(address: string): SetupProblem {
  // A front end has no address.
  const node = address === '' ? 'A front end' : `The node at ${address}`
  return new SetupProblem(
    `${node} has other settings; all nodes of a cluster must have the same fees, bounds, ` +
      'retention times, rate limits and OUTCRY_SECRETS_KEY.',
  )
}

function nodeRow(row: Readonly<Record<string, string | number | boolean>>): NodeRow {
  return {
    node: String(row.node),
    incarnation: String(row.incarnation),
    address: String(row.address),
    version: String(row.version),
    protocol: Number(row.protocol),
    engineVersion: Number(row.engine_version),
    settingsHash: String(row.settings_hash),
    shardsMax: Number(row.shards_max),
    state: String(row.state) as NodeState,
    registrySeen: Number(row.registry_seen),
    aliveUntil: Number(row.alive_until),
    isAlive: row.is_alive === true,
    load: JSON.parse(String(row.load)),
  }
}
