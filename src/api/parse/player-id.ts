// Ids of players outside of a body, whose schema checks them there.

import { charactersOf } from '../../registry/text-checks.ts'
import { playerIdMax } from '../schemas/fields.ts'
import { isLine } from './text.ts'

/** No order was ever accepted for any other text. */
export function isPlayerId(text: string): boolean {
  return text.length > 0 && charactersOf(text) <= playerIdMax && isLine(text)
}
