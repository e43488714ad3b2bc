// The operator and the key of the caller.

import { Done } from '../../http/response.ts'
import { presentMe } from '../../present/registry.ts'
import { named } from '../../schemas/fields.ts'
import { Me } from '../../schemas/operator.ts'
import type { Routes } from './routes.ts'

export function addMe(routes: Routes): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/me',
      scope: null,
      tag: 'Service',
      name: 'getMe',
      summary: 'Get the operator and the key of this request',
      description: 'Any key may ask, whatever its scopes are.',
      answer: named(Me),
    },
    ({ operator, key }) => new Done(presentMe({ operator, key })),
  )
}
