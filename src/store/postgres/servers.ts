// The servers of DATABASE_URL: a primary and its standbys. Connections are opened to the one that
// can be written, and those to a former primary are closed as soon as another one is found.

import type pg from 'pg'
import { addressOf, urlsOf } from '../../database-urls.ts'
import { SetupProblem } from '../start-errors.ts'
import { reasonOf } from './failure-text.ts'

type Connect = (url: string) => Promise<pg.Client>

/** A server that has not answered for so long is not waited for alone. */
const nextServerMs = 500
const factsMsMax = 2_000

/** By the setting. */
const known = new Map<string, DatabaseServers>()

/** The same object for the same setting, so that all connections move together. */
export function serversOf(setting: string): DatabaseServers {
  const servers = known.get(setting) ?? new DatabaseServers(urlsOf(setting))
  known.set(setting, servers)
  return servers
}

/** No server can be reached and written. */
export class NoPrimary extends Error {
  override readonly name = 'NoPrimary'

  constructor(problems: readonly string[]) {
    super(`no server can be written: ${problems.join('; ')}`)
  }
}

class NotPrimary extends Error {
  override readonly name = 'NotPrimary'
}

type Facts = {
  readonly isWritable: boolean
  /** Raised by every promotion of a standby. */
  readonly timeline: number
  /** The same for a primary and its standbys. */
  readonly system: string
}

const factsText = `
  SELECT NOT (pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean)
      AS is_writable,
    CASE WHEN pg_is_in_recovery() THEN 0
      ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline,
    (SELECT system_identifier::text FROM pg_control_system()) AS system`

export class DatabaseServers {
  readonly #urls: readonly string[]
  /** The last that was found to be the primary. */
  #current: string
  /** The highest of a primary so far: a former primary that returns has a lower one. */
  #timeline = 0
  #system: string | null = null
  readonly #clients = new Map<pg.Client, string>()
  #surveying: Promise<void> | null = null

  constructor(urls: readonly string[]) {
    this.#urls = urls
    this.#current = urls[0]!
  }

  get current(): string {
    return this.#current
  }

  /**
   * A connection to the primary. The next server is tried when one has failed, or has not answered
   * for a moment. Throws NoPrimary, SetupProblem, or the error of a single server, of which nothing
   * is asked.
   */
  async open(connect: Connect): Promise<pg.Client> {
    if (this.#urls.length === 1) return connect(this.#current)
    // The first server of the list may be a former primary.
    if (this.#timeline === 0) await this.survey(connect)
    return this.#openAny(connect)
  }

  #openAny(connect: Connect): Promise<pg.Client> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.Client>()
    const untried = [this.#current, ...this.#urls.filter((url) => url !== this.#current)]
    const problems: string[] = []
    let isOpen = false
    const tryNext = () => {
      const url = isOpen ? undefined : untried.shift()
      if (url === undefined) return
      const timer = setTimeout(tryNext, nextServerMs)
      const onOpen = (client: pg.Client) => {
        clearTimeout(timer)
        if (isOpen) void client.end().catch(() => undefined)
        isOpen = true
        resolve(client)
      }
      const onFailed = (error: unknown) => {
        clearTimeout(timer)
        problems.push(`${addressOf(url)}: ${reasonOf(error)}`)
        if (problems.length === this.#urls.length) reject(new NoPrimary(problems))
        else tryNext()
      }
      this.#openAt(url, connect).then(onOpen, onFailed)
    }
    tryNext()
    return promise
  }

  async #openAt(url: string, connect: Connect): Promise<pg.Client> {
    const client = await connect(url)
    try {
      await this.admit(client, url)
      return client
    } catch (error) {
      void client.end().catch(() => undefined)
      throw error
    }
  }

  /** Throws NotPrimary. The connections to another server, a former primary, are closed. */
  async admit(client: pg.Client, url: string): Promise<void> {
    if (this.#urls.length === 1) return
    const facts = await factsOf(client)
    if (!facts.isWritable) throw new NotPrimary('it is read-only')
    if (facts.timeline < this.#timeline) throw new NotPrimary('it is a former primary')
    if (!this.#isCopy(facts)) throw new NotPrimary('it is no copy of the primary')
    this.#clients.set(client, url)
    client.once('end', () => this.#clients.delete(client))
    this.#moveTo(url, facts)
  }

  /**
   * Asks every server, to find the primary among several that can be written: a former one may
   * still accept connections, while its commits wait in vain for the standby that was promoted.
   * Throws SetupProblem if they are no copies of each other.
   */
  survey(connect: Connect): Promise<void> {
    if (this.#urls.length === 1) return Promise.resolve()
    this.#surveying ??= this.#survey(connect).finally(() => {
      this.#surveying = null
    })
    return this.#surveying
  }

  async #survey(connect: Connect): Promise<void> {
    const answers = await Promise.allSettled(
      this.#urls.map(async (url) => {
        const facts = await factsAt(url, connect)
        // The others are not waited for: one of them may never answer.
        if (facts.isWritable && facts.timeline > this.#timeline && this.#isCopy(facts)) {
          this.#moveTo(url, facts)
        }
        return { url, ...facts }
      }),
    )
    const found = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const other = found.find(({ system }) => system !== found[0]!.system)
    if (other !== undefined) throw noCopies(found[0]!.url, other.url)
  }

  #isCopy({ system }: Facts): boolean {
    return this.#system === null || system === this.#system
  }

  #moveTo(url: string, { system, timeline }: Facts): void {
    this.#timeline = timeline
    this.#system = system
    if (url === this.#current) return
    this.#current = url
    for (const [client, at] of this.#clients) if (at !== url) client.connection.stream.destroy()
  }
}

async function factsAt(url: string, connect: Connect): Promise<Facts> {
  const client = await connect(url)
  try {
    return await factsOf(client)
  } finally {
    void client.end().catch(() => undefined)
  }
}

async function factsOf(client: pg.Client): Promise<Facts> {
  type Row = { is_writable: boolean; timeline: number; system: string }
  const query = { text: factsText, query_timeout: factsMsMax }
  const { rows } = await client.query<Row>(query)
  const { is_writable: isWritable, timeline, system } = rows[0]!
  return { isWritable, timeline, system }
}

function noCopies(one: string, other: string): SetupProblem {
  return new SetupProblem(
    `The PostgreSQL servers of DATABASE_URL must be a primary and its standbys; ` +
      `${addressOf(one)} and ${addressOf(other)} are no copies of each other.`,
  )
}
