// The fact of a brake that was changed, or of the progress of its sweep.

import { type Controls, recordOf } from '../state/controls.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Operator } from '../state/operator.ts'

/** The operators of the audience get an event about it. */
export function writeControls(
  { journal }: Exchange,
  controls: Controls,
  audience: readonly Operator[],
): void {
  const { scope, shownReason } = controls
  journal.add({ kind: 'CONTROLS', record: recordOf(controls), scope, shownReason, audience })
}
