// The steps of order groups, on the exchange.

import type { Serial } from '../../src/core/ids.ts'
import type { Shares } from '../../src/core/money.ts'
import {
  continueGroup,
  createOrderGroup,
  deleteOrderGroup,
  limitOrderGroup,
  resetOrderGroup,
  triggerOrderGroup,
} from '../../src/core/orders/order-groups.ts'
import type { Reject } from '../../src/core/reject.ts'
import type { Exchange } from '../../src/core/state/exchange.ts'
import type { Operator } from '../../src/core/state/operator.ts'
import { serial } from '../support/core/steps.ts'
import type { Step } from './step.ts'

type StepOf<Kind extends Step['do']> = Extract<Step, { do: Kind }>
type GroupStep = StepOf<'createGroup' | 'changeGroup' | 'continueGroup'>

const unknownSerial = serial(0)

export class CoreGroups {
  readonly #exchange: Exchange
  /** In the order of creation. */
  readonly #serials: Serial[]

  constructor(exchange: Exchange, serials: Serial[]) {
    this.#exchange = exchange
    this.#serials = serials
  }

  serialOf(number: number): Serial {
    return this.#serials[number] ?? unknownSerial
  }

  take(step: GroupStep, operatorOf: (number: number) => Operator): Reject | null {
    if (step.do === 'continueGroup') return this.#continue(step)
    const operator = operatorOf(step.operator)
    return step.do === 'createGroup' ? this.#create(step, operator) : this.#change(step, operator)
  }

  #create({ player, limitShares, windowMs }: StepOf<'createGroup'>, operator: Operator) {
    const group = { playerId: player, limitShares: limitShares as Shares, windowMs }
    const reject = createOrderGroup(this.#exchange, { operator, ...group })
    if (reject === null) this.#serials.push(serial(this.#exchange.lastSerial))
    return reject
  }

  #change({ change, group }: StepOf<'changeGroup'>, operator: Operator): Reject | null {
    const exchange = this.#exchange
    const command = { operator, groupSerial: this.serialOf(group) }
    if (change === 'reset') return resetOrderGroup(exchange, command)
    if (change === 'trigger') return triggerOrderGroup(exchange, command)
    if (change === 'delete') return deleteOrderGroup(exchange, command)
    return limitOrderGroup(exchange, { ...command, limitShares: change as Shares })
  }

  #continue({ group: number, atMost }: StepOf<'continueGroup'>): null {
    const group = this.#exchange.orderGroups.get(this.serialOf(number))
    const isWaiting = group !== undefined && this.#exchange.cancellingGroups.has(group)
    if (isWaiting) continueGroup(this.#exchange, group, atMost)
    return null
  }
}
