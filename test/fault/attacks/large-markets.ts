// Markets with as much text as a request may have, until the operator's limit is reached.

import type { Attack } from './support/attack.ts'

const outcomes = 28
/** With the title and the metadata, just below the maximum size of a body. */
const description = 'x'.repeat(8_000)

export const largeMarkets: Attack = {
  name: 'large-markets',
  env: { MAX_OPERATOR_TEXT_MB: '4' },
  expected: '409 OPERATOR_LIMIT',
  prepare: async ({ operator, repeat }) => {
    const body = {
      title: 'How long is a text?',
      description,
      outcomes: Array.from({ length: outcomes }, (_, number) => ({
        name: `Answer ${number}`,
        description,
      })),
      metadata: { text: 'x'.repeat(15_000) },
    }
    return () => {
      repeat(20, () => operator.call('POST', '/api/v1/markets', { body }))
    }
  },
}
