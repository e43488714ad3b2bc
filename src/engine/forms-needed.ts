// The form of the events that come of a command. Nodes of an earlier version, which read only
// earlier forms, could not read such events at all.

import type { EventForm } from '../core/events/events.ts'
import type { PriceBand } from '../core/state/market.ts'
import { type CommandKind, Unavailable } from './commands.ts'
import type { QueuedCommand } from './queue.ts'

const formsNeeded: { readonly [Kind in CommandKind]?: EventForm } = {
  changeTradingWindow: 2,
  armDeadMan: 3,
  changeControls: 3,
  createOrderGroup: 4,
  limitOrderGroup: 4,
  triggerOrderGroup: 4,
  resetOrderGroup: 4,
  deleteOrderGroup: 4,
}
/** Of an order by amount. */
const formOfAmounts: EventForm = 4

/** Of a command that gives a market a price band, or a player limits, or names an order group. */
const formOfBands: EventForm = 4
const formOfLimits: EventForm = 4
const formOfGroups: EventForm = 4

export function formNeededFor(kind: CommandKind): EventForm {
  return formsNeeded[kind] ?? 0
}

/** Why the command is not executed while the events of the shard have that form; null if it is. */
export function refusalInForm(form: EventForm, command: KindAndCommand): Unavailable | null {
  if (form >= formNeededOf(command)) return null
  return new Unavailable('A node of an earlier version could not read the event.')
}

type KindAndCommand = Pick<QueuedCommand, 'kind' | 'command'>

function formNeededOf({ kind, command }: KindAndCommand): EventForm {
  if ('limits' in command && command.limits !== null) return formOfLimits
  if ('orderGroupSerial' in command && command.orderGroupSerial != null) return formOfGroups
  if ('amount' in command) return formOfAmounts
  const priceBand = bandIn(command)
  return priceBand === null || priceBand === undefined ? formNeededFor(kind) : formOfBands
}

function bandIn(command: QueuedCommand['command']): PriceBand | null | undefined {
  if ('changes' in command) return command.changes.priceBand
  return 'priceBand' in command ? command.priceBand : null
}
