// For the administrator: the brake on an operator, which the operator cannot lift.

import { exchange } from '../exchange.ts'
import { useLoaded } from '../loaded.ts'
import type { Operator } from '../wire.ts'
import { BrakePanel } from './brake-panel.tsx'
import { braking } from './controls-page.tsx'

export function OperatorBrakePanel({ operator: { id, name } }: { operator: Operator }) {
  const { admin } = exchange()
  const brake = useLoaded(() => admin.operatorControls(id), [id])
  return (
    <BrakePanel
      title="Trading controls"
      about="The operator cannot lift it, and does not see the reason. Its own brake is separate."
      of={brake}
      changing={{
        subject: name,
        put: (request) => admin.putOperatorControls(id, request, braking),
        isOurs: () => false,
      }}
    />
  )
}
