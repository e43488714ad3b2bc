// A field for a number, perhaps with steps. Below it is why the number cannot be read, or how it
// was read if that is not as typed.

import { useId } from 'preact/hooks'
import { grouped } from '../figures.ts'
import { type Bounds, readNumber } from '../typed-number.ts'
import { Field } from './form.tsx'
import { type Steps, stepped, stepsOf } from './steps.ts'

type Props = Bounds & {
  readonly name: string
  /** As typed. */
  readonly value: string
  readonly onValue: (value: string) => void
  readonly hint?: string
  readonly placeholder?: string
  /** Identifies the field to a shortcut. */
  readonly mark?: string
  readonly steps?: Steps
  /** How a number that was stepped to is written. */
  readonly show?: (value: number) => string
}

export function NumberField(props: Props) {
  const { name, value, onValue, hint, placeholder, mark, steps, show = String } = props
  const noteId = useId()
  const { fault, note } = noteOf(value, props)
  const step = (count: number) => {
    if (steps !== undefined) onValue(show(stepped(readNumber(value, props).value, count, steps)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const count = steps === undefined ? null : stepsOf(event)
    if (count === null) return
    event.preventDefault()
    step(count)
  }
  return (
    <Field name={name} {...(hint === undefined ? {} : { hint })}>
      {(id) => (
        <>
          <div class={steps === undefined ? '' : 'stepped'}>
            {/* An input of type number would change with the mouse wheel and hide invalid text. */}
            <input
              type="text"
              inputMode="decimal"
              id={id}
              autocomplete="off"
              spellcheck={false}
              data-mark={mark}
              placeholder={placeholder}
              value={value}
              aria-invalid={fault !== null}
              aria-describedby={noteId}
              onInput={({ currentTarget }) => onValue(currentTarget.value)}
              onKeyDown={onKeyDown}
            />
            {steps === undefined ? null : <StepButtons name={name} onStep={step} />}
          </div>
          <p class={fault === null ? 'hint' : 'fault'} id={noteId} aria-live="polite">
            {fault ?? note}
          </p>
        </>
      )}
    </Field>
  )
}

type StepProps = { readonly name: string; readonly onStep: (count: number) => void }

/** Not in the order of tabs: the arrow keys do the same within the field. */
function StepButtons({ name, onStep }: StepProps) {
  const directions = [
    ['−', 'down', -1],
    ['+', 'up', 1],
  ] as const
  return (
    <>
      {directions.map(([sign, words, count]) => (
        <button
          key={words}
          type="button"
          class="step"
          tabIndex={-1}
          aria-label={`${name} ${words}`}
          title="Arrow keys; with Shift 10 steps"
          onClick={() => onStep(count)}
        >
          {sign}
        </button>
      ))}
    </>
  )
}

function noteOf(typed: string, bounds: Bounds) {
  const { value, fault } = readNumber(typed, bounds)
  const isPlain = value === null || /^-?\d*\.?\d*$/.test(typed.trim())
  return { fault, note: isPlain ? null : `= ${grouped(String(value))}` }
}
