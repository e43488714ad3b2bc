// A state as a coloured label.

import { inWords } from '../figures.ts'

const tones: Readonly<Record<string, string>> = {
  OPEN: 'good',
  DELIVERED: 'good',
  COMPLETED: 'good',
  FILLED: 'good',
  ARMED: 'good',
  ACTIVE: 'good',
  UPCOMING: 'calm',
  RESOLVED: 'calm',
  PENDING: 'calm',
  PARTIAL: 'calm',
  PROCESSING: 'calm',
  SUSPENDED: 'warn',
  DRAINING: 'warn',
  LEAVING: 'warn',
  CLOSED: 'warn',
  RETRYING: 'warn',
  REDUCE_ONLY: 'warn',
  FAILED: 'bad',
  DOWN: 'bad',
  HALTED: 'bad',
  TRIGGERED: 'bad',
  REJECTED: 'bad',
  CANCELLED: 'bad',
}

export function Status({ of }: { of: string }) {
  return (
    <span class="status" data-tone={tones[of] ?? 'plain'}>
      {inWords(of)}
    </span>
  )
}
