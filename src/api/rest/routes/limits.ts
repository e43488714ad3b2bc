// The rate limits of an operator.

import { Done } from '../../http/response.ts'
import { named } from '../../schemas/fields.ts'
import { RateLimits } from '../../schemas/limits.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

export function addLimits(routes: Routes, { admission }: Context): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/limits',
      scope: 'read',
      tag: 'Service',
      name: 'getLimits',
      summary: 'Get the rate limits and what is left of them',
      description:
        'This request counts towards `requests`. The limits of an operator hold over all nodes ' +
        'of a cluster together: what is left is what the node that answers knows, which is up ' +
        'to 100 ms old, or everything if the node has not served the operator lately.',
      answer: named(RateLimits),
    },
    ({ operator, address }) => new Done({ limits: admission.limitsOf(operator.id, address()) }),
  )
}
