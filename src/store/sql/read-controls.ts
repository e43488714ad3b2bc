// Reads a brake on trading, as it was stored last.

import { type ControlsRecord, controlsHolders } from '../../core/state/controls.ts'
import type { ControlsQuery } from '../record-store.ts'
import { textOrNull } from './cells.ts'
import { first, type Reading } from './reading.ts'

/** null for one that was released, or never put on. */
export function* readControls(query: ControlsQuery): Reading<ControlsRecord | null> {
  const { kind, operatorNumber, playerId } = query
  const row = yield* first(
    'SELECT record FROM controls WHERE holder_kind = ? AND operator_number = ? AND player_id = ?',
    controlsHolders.indexOf(kind),
    operatorNumber,
    playerId,
  )
  const record = textOrNull(row?.record ?? null)
  return record === null ? null : controlsRecordOf(record)
}

/** Versions before limits have stored none. */
export function controlsRecordOf(text: string): ControlsRecord {
  const record = JSON.parse(text) as ControlsRecord
  return { ...record, terms: { ...record.terms, limits: record.terms.limits ?? null } }
}
