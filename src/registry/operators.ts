// Operators, who run markets. Each has a public id, and a number that identifies it in stored rows.

import { isDeepStrictEqual } from 'node:util'
import { type FeeSchedule, isFeeRate, isFeeSchedule } from '../core/fee.ts'
import type { FeeRate } from '../core/money.ts'
import type { KeyRow, OperatorRow } from '../store/store.ts'
import type { RecordCache } from './record-cache.ts'
import { invalid, operatorNotFound, quoted, type RegistryReject } from './reject.ts'
import { checkName } from './text-checks.ts'
import { newUuid } from './uuid.ts'
import type { VersionedStore } from './versioned-store.ts'
import type { WriteQueue } from './write-queue.ts'

export type NewOperator = {
  readonly name: string
  readonly supportedCurrencies: readonly string[]
  /** In hundredths of a percent; null for the default of the exchange. */
  readonly feeRate: FeeRate | null
  /** Left out: null, for the rate in both roles. */
  readonly feeSchedule?: FeeSchedule | null
  /** Default: the shard with the fewest operators. */
  readonly shard?: number | undefined
}
export type CreatedOperator = { readonly operator: OperatorRow; readonly apiKey: string }
export type OperatorChanges = Partial<Omit<NewOperator, 'shard'> & { readonly isActive: boolean }>

export type OperatorsOptions = {
  readonly store: VersionedStore
  readonly cache: RecordCache<OperatorRow>
  readonly writes: WriteQueue
  readonly now: () => number
  readonly shardCount: number
  /** Awaited when an operator is durable, before it becomes visible. */
  readonly onStored: (operator: OperatorRow) => Promise<void>
  /** Called when a change is visible. */
  readonly onChanged: (id: string) => void
  /** A key with all scopes for a new operator, not stored yet. */
  readonly makeKey: (operatorId: string) => { readonly key: KeyRow; readonly apiKey: string }
  /** Called when the key of a new operator is stored. */
  readonly addKey: (key: KeyRow) => void
}

const currenciesMax = 100
const currencyForm = /^[A-Z0-9]{2,10}$/

export class Operators {
  readonly #options: OperatorsOptions
  readonly #byNumber = new Map<number, string>()
  #lastNumber = 0

  constructor(options: OperatorsOptions) {
    this.#options = options
  }

  get(id: string): OperatorRow | undefined {
    return this.#options.cache.get(id)
  }

  byNumber(number: number): OperatorRow | undefined {
    const id = this.#byNumber.get(number)
    return id === undefined ? undefined : this.get(id)
  }

  /** Newest first. */
  list(): readonly OperatorRow[] {
    return [...this.#options.cache.all()].sort((one, other) => other.number - one.number)
  }

  /** Only this answer contains the key itself. */
  create(
    wanted: NewOperator & { readonly id?: string | undefined },
  ): Promise<CreatedOperator | RegistryReject> {
    return this.#create(wanted, () => null)
  }

  /** Refused if there is an operator already. */
  createFirst(wanted: NewOperator): Promise<CreatedOperator | RegistryReject> {
    return this.#create(wanted, () =>
      this.#lastNumber === 0 ? null : invalid('operators', 'there is an operator already'),
    )
  }

  async #create(
    wanted: NewOperator & { readonly id?: string | undefined },
    rejectNow: () => RegistryReject | null,
  ): Promise<CreatedOperator | RegistryReject> {
    const reject = check(wanted) ?? this.#checkShard(wanted.shard)
    if (reject !== null) return reject
    const { store, writes, now, makeKey, addKey } = this.#options
    return writes.run(async () => {
      const rejectedNow = rejectNow()
      if (rejectedNow !== null) return rejectedNow
      const createdAt = now()
      // A request that is repeated after a crash creates its operator once, with another key.
      const known = wanted.id === undefined ? undefined : this.get(wanted.id)
      const operator: OperatorRow = known ?? {
        id: wanted.id ?? newUuid(createdAt),
        number: this.#lastNumber + 1,
        shard: wanted.shard ?? this.#emptiestShard(),
        name: wanted.name,
        supportedCurrencies: [...wanted.supportedCurrencies],
        feeRate: wanted.feeRate,
        feeSchedule: wanted.feeSchedule ?? null,
        isActive: true,
        createdAt,
        updatedAt: createdAt,
      }
      const { key, apiKey } = makeKey(operator.id)
      await store.addOperator(operator, key)
      await this.show(operator)
      addKey(key)
      return { operator, apiKey }
    })
  }

  async update(id: string, changes: OperatorChanges): Promise<OperatorRow | RegistryReject> {
    const { store, writes, now } = this.#options
    return writes.run(async () => {
      const known = this.get(id)
      if (known === undefined) return operatorNotFound
      const {
        name = known.name,
        supportedCurrencies = known.supportedCurrencies,
        feeRate = known.feeRate,
        feeSchedule = known.feeSchedule,
        isActive = known.isActive,
      } = changes
      const fees = { feeRate, feeSchedule }
      const changed = { name, supportedCurrencies: [...supportedCurrencies], ...fees, isActive }
      const operator = { ...known, ...changed, updatedAt: now() }
      const reject = check(operator)
      if (reject !== null) return reject
      await store.operators.put(operator)
      await this.show(operator)
      return operator
    })
  }

  /** Replaces what is in memory, and reports the operators that have changed. */
  async replaceAll(rows: readonly OperatorRow[], { isStart }: { isStart: boolean }): Promise<void> {
    const changed = rows.filter((row) => !isDeepStrictEqual(this.get(row.id), row))
    if (!isStart) for (const row of changed) await this.#options.onStored(row)
    this.#options.cache.replaceAll(rows)
    this.#byNumber.clear()
    this.#lastNumber = 0
    for (const row of rows) this.#number(row)
    if (!isStart) for (const { id } of changed) this.#options.onChanged(id)
  }

  /**
   * For an operator that is stored already. The engine comes first: it must know every operator
   * whose requests are accepted.
   */
  async show(operator: OperatorRow): Promise<void> {
    await this.#options.onStored(operator)
    this.#options.cache.putInMemory(operator)
    this.#number(operator)
    this.#options.onChanged(operator.id)
  }

  #checkShard(shard: number | undefined): RegistryReject | null {
    const { shardCount } = this.#options
    if (shard === undefined || (shard >= 0 && shard < shardCount)) return null
    return invalid('shard', `must be between 0 and ${shardCount - 1}, got ${shard}`)
  }

  #emptiestShard(): number {
    const counts = new Array<number>(this.#options.shardCount).fill(0)
    for (const { shard } of this.#options.cache.all()) {
      // A node with a larger SHARDS may have added shards since this one has started.
      if (shard < counts.length) counts[shard]! += 1
    }
    return counts.indexOf(Math.min(...counts))
  }

  #number({ id, number }: OperatorRow): void {
    this.#byNumber.set(number, id)
    this.#lastNumber = Math.max(this.#lastNumber, number)
  }
}

function check(operator: NewOperator): RegistryReject | null {
  const { name, supportedCurrencies } = operator
  return checkName('name', name) ?? checkCurrencies(supportedCurrencies) ?? checkFees(operator)
}

function checkCurrencies(currencies: readonly string[]): RegistryReject | null {
  const field = 'supportedCurrencies'
  if (currencies.length < 1 || currencies.length > currenciesMax) {
    const count = currencies.length
    return invalid(field, `must have 1 to ${currenciesMax} currencies, got ${count}`)
  }
  const wrong = currencies.find((currency) => !currencyForm.test(currency))
  if (wrong !== undefined) {
    return invalid(field, `${quoted(wrong)} must be 2 to 10 capital letters or digits`)
  }
  const twice = currencies.find((currency, at) => currencies.indexOf(currency) !== at)
  return twice === undefined ? null : invalid(field, `duplicate currency ${quoted(twice)}`)
}

function checkFees({ feeRate, feeSchedule = null }: NewOperator): RegistryReject | null {
  const rule = 'must be between 0 and 100, with at most 2 decimals'
  if (feeRate !== null && !isFeeRate(feeRate)) return invalid('feePercent', rule)
  if (feeSchedule === null || isFeeSchedule(feeSchedule)) return null
  return invalid('feeSchedule', `the percentages ${rule}`)
}
