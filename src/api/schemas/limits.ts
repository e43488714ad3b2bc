// The rate limits of an operator and what is left of them.

import { Type } from 'typebox'
import { nullable, record } from './fields.ts'

export const RateLimits = record('RateLimits', {
  limits: Type.Array(
    Type.Object({
      name: Type.Unsafe<'orders' | 'cancels' | 'requests' | 'public'>({
        type: 'string',
        enum: ['orders', 'cancels', 'requests', 'public'],
        description:
          'As in the headers RateLimit and RateLimit-Policy. `public` is that of requests ' +
          'without a key from your address.',
      }),
      perSecond: Type.Integer({ description: 'The cost allowed per second; 0 for no limit.' }),
      remaining: nullable(
        Type.Integer({ description: 'What is left of it now; null if there is no limit.' }),
      ),
    }),
  ),
})
