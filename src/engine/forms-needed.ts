// The form of the events that come of a command. Nodes of an earlier version, which read only
// earlier forms, could not read such events at all.

import type { EventForm } from '../core/events/events.ts'
import type { CommandKind } from './commands.ts'

const formsNeeded: { readonly [Kind in CommandKind]?: EventForm } = {
  changeTradingWindow: 2,
  armDeadMan: 3,
  changeControls: 3,
}

export function formNeededFor(kind: CommandKind): EventForm {
  return formsNeeded[kind] ?? 0
}
