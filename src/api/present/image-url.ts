// Addresses of images in answers.

import { isHttpsUrl } from '../parse/text.ts'

/** null for an address that was stored when any text was accepted. */
export function presentImageUrl(stored: string | null): string | null {
  return stored === null || !isHttpsUrl(stored) ? null : stored
}
