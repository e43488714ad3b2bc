// The uses of API keys. Several are written in one transaction.

import type { KeyUse } from '../key-use-store.ts'
import { numberOf, textOf } from './cells.ts'
import { all, type Reading } from './reading.ts'

/** In order of the keys: two transactions that wait for each other would be refused. */
export function* saveKeyUses(uses: readonly KeyUse[]): Reading<void> {
  const sorted = uses.toSorted((one, other) => (one.keyId < other.keyId ? -1 : 1))
  for (const { keyId, usedAt } of sorted) {
    yield* all(
      `INSERT INTO key_uses (key_id, used_at)
       SELECT id, CAST(? AS BIGINT) FROM keys WHERE id = ?
       ON CONFLICT (key_id) DO UPDATE SET used_at = excluded.used_at
       WHERE key_uses.used_at < excluded.used_at`,
      usedAt,
      keyId,
    )
  }
}

/** In any order; only of keys that were used. */
export function* readKeyUses(keyIds: readonly string[]): Reading<KeyUse[]> {
  const rows = yield* all('SELECT key_id, used_at FROM key_uses WHERE key_id = ANY (?)', keyIds)
  return rows.map((cells) => ({ keyId: textOf(cells.key_id), usedAt: numberOf(cells.used_at) }))
}
