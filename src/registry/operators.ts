// Operators: who runs markets here. Each has a number for the store's rows and an id for the world.

import { isDeepStrictEqual } from 'node:util'
import { feeRateMax } from '../core/money.ts'
import type { KeyRow, OperatorRow, RegistryStore } from '../store/store.ts'
import type { RecordCache } from './record-cache.ts'
import { invalid, operatorNotFound, quoted, type RegistryReject } from './reject.ts'
import { nameFault } from './text-checks.ts'
import { newUuid } from './uuid.ts'
import type { Writes } from './write-queue.ts'

export type NewOperator = {
  readonly name: string
  readonly supportedCurrencies: readonly string[]
  /** In hundredths of a percent; null for the exchange's own. */
  readonly feeRate: number | null
}
export type OperatorChanges = Partial<NewOperator & { readonly isActive: boolean }>

export type OperatorsOptions = {
  readonly store: RegistryStore
  readonly cache: RecordCache<OperatorRow>
  readonly writes: Writes
  readonly now: () => number
  readonly onOperator: (operator: OperatorRow) => Promise<void>
  /** Whoever asks for it from now on finds it as it is now. */
  readonly onChanged: (id: string) => void
  /** A key with all scopes for a new operator, not stored yet. */
  readonly makeKey: (operatorId: string) => { readonly key: KeyRow; readonly apiKey: string }
  /** The operator's key is stored. */
  readonly issueKey: (key: KeyRow) => void
}

export const currenciesMax = 100
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

  /** The key is shown here and never again. */
  async create(
    wanted: NewOperator,
  ): Promise<{ readonly operator: OperatorRow; readonly apiKey: string } | RegistryReject> {
    const fault = faultOf(wanted)
    if (fault !== null) return fault
    const { store, writes, now, makeKey, issueKey } = this.#options
    return writes.run(async () => {
      const createdAt = now()
      const operator: OperatorRow = {
        id: newUuid(createdAt),
        number: this.#lastNumber + 1,
        name: wanted.name,
        supportedCurrencies: [...wanted.supportedCurrencies],
        feeRate: wanted.feeRate,
        isActive: true,
        createdAt,
        updatedAt: createdAt,
      }
      const { key, apiKey } = makeKey(operator.id)
      await store.addOperator(operator, key)
      await this.#tell(operator)
      issueKey(key)
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
        isActive = known.isActive,
      } = changes
      const changed = { name, supportedCurrencies: [...supportedCurrencies], feeRate, isActive }
      const operator = { ...known, ...changed, updatedAt: now() }
      const fault = faultOf(operator)
      if (fault !== null) return fault
      await store.operators.put(operator)
      await this.#tell(operator)
      return operator
    })
  }

  /** Takes what is stored; those that are told are those that differ from what was known. */
  async fill(rows: readonly OperatorRow[], { isStart }: { isStart: boolean }): Promise<void> {
    const changed = rows.filter((row) => !isDeepStrictEqual(this.get(row.id), row))
    if (!isStart) for (const row of changed) await this.#options.onOperator(row)
    this.#options.cache.fill(rows)
    this.#byNumber.clear()
    this.#lastNumber = 0
    for (const row of rows) this.#number(row)
    if (!isStart) for (const { id } of changed) this.#options.onChanged(id)
  }

  /** The engine first: whoever is let in must be known to it. */
  async #tell(operator: OperatorRow): Promise<void> {
    await this.#options.onOperator(operator)
    this.#options.cache.take(operator)
    this.#number(operator)
    this.#options.onChanged(operator.id)
  }

  #number({ id, number }: OperatorRow): void {
    this.#byNumber.set(number, id)
    this.#lastNumber = Math.max(this.#lastNumber, number)
  }
}

function faultOf({ name, supportedCurrencies, feeRate }: NewOperator): RegistryReject | null {
  return nameFault('name', name) ?? currenciesFault(supportedCurrencies) ?? feeFault(feeRate)
}

function currenciesFault(currencies: readonly string[]): RegistryReject | null {
  const field = 'supportedCurrencies'
  if (currencies.length < 1 || currencies.length > currenciesMax) {
    return invalid(field, `${currencies.length} currencies are outside 1 to ${currenciesMax}.`)
  }
  const wrong = currencies.find((currency) => !currencyForm.test(currency))
  if (wrong !== undefined) {
    return invalid(field, `${quoted(wrong)} is not 2 to 10 capital letters or digits.`)
  }
  const twice = currencies.find((currency, at) => currencies.indexOf(currency) !== at)
  return twice === undefined ? null : invalid(field, `${quoted(twice)} is there twice.`)
}

function feeFault(feeRate: number | null): RegistryReject | null {
  if (feeRate === null) return null
  const isRate = Number.isInteger(feeRate) && feeRate >= 0 && feeRate <= feeRateMax
  return isRate ? null : invalid('feePercent', 'it is not a number from 0 to 100 in steps of 0.01.')
}
