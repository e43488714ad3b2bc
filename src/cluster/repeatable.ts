// What may be done with a command that was sent and not answered: which kinds may be sent again
// without being done twice, and which may take any time.

import type { CommandKind, Commands } from '../engine/commands.ts'

type AnyCommand = Commands[CommandKind]['command']

type Repetition =
  /** Changes nothing. */
  | 'QUERY'
  /** The engine recognises the transactionId, if it has one. */
  | 'BY_KEY'
  /** A second execution finds what the first has done. */
  | 'ALWAYS'
  /** It might be done twice, or be rejected because it was done. */
  | 'NEVER'

const repetitions: Readonly<Record<CommandKind, Repetition>> = {
  book: 'QUERY',
  prices: 'QUERY',
  preview: 'QUERY',
  queue: 'QUERY',
  deadMan: 'QUERY',
  orderGroup: 'QUERY',
  orderGroups: 'QUERY',
  place: 'BY_KEY',
  changeSets: 'BY_KEY',
  acknowledge: 'ALWAYS',
  cancel: 'ALWAYS',
  armDeadMan: 'ALWAYS',
  settle: 'ALWAYS',
  changeControls: 'ALWAYS',
  limitOrderGroup: 'ALWAYS',
  triggerOrderGroup: 'ALWAYS',
  cancelMany: 'NEVER',
  amend: 'NEVER',
  clearDeadMan: 'NEVER',
  createMarket: 'NEVER',
  createOrderGroup: 'NEVER',
  resetOrderGroup: 'NEVER',
  deleteOrderGroup: 'NEVER',
  editMarket: 'NEVER',
  manage: 'NEVER',
  changeTradingWindow: 'NEVER',
  retrySettlements: 'NEVER',
}

export function isQuery(kind: CommandKind): boolean {
  return repetitions[kind] === 'QUERY'
}

/** Whether a command that may have been executed may be sent again. */
export function isRepeatable(kind: CommandKind, command: AnyCommand): boolean {
  const repetition = repetitions[kind]
  if (repetition !== 'BY_KEY') return repetition !== 'NEVER'
  return 'transactionId' in command && command.transactionId !== null
}

/** Whether it is answered when a job of its market is done, however long that takes. */
export function waitsForJob(kind: CommandKind, command: AnyCommand): boolean {
  if (kind === 'settle' || kind === 'changeControls') return true
  if (kind === 'triggerOrderGroup' || kind === 'deleteOrderGroup') return true
  return kind === 'manage' && 'action' in command && command.action === 'cancel'
}
