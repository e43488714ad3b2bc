// The choice of events that a webhook receives.

import { CheckField } from '../parts/form.tsx'
import { type EventType, eventTypes } from './event-words.ts'

type Props = {
  readonly chosen: readonly EventType[]
  readonly onChosen: (chosen: readonly EventType[]) => void
}

export function EventChoice({ chosen, onChosen }: Props) {
  return (
    <details class="options">
      <summary>
        Events: {chosen.length === 0 ? 'all' : `${chosen.length} of ${eventTypes.length}`}
      </summary>
      <div class="event-choice">
        {eventTypes.map((type) => (
          <CheckField
            key={type}
            name={type}
            isOn={chosen.includes(type)}
            onChange={(isOn) =>
              onChosen(isOn ? [...chosen, type] : chosen.filter((each) => each !== type))
            }
          />
        ))}
      </div>
    </details>
  )
}
