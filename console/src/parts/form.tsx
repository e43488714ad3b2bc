// Parts of forms: fields with names and hints, choices, and error messages.

import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { explain } from '../explain.ts'

type FieldProps = {
  readonly name: string
  readonly hint?: string
  readonly children: (id: string) => ComponentChildren
}

export function Field({ name, hint, children }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {children(id)}
      {hint === undefined ? null : <p class="hint">{hint}</p>}
    </div>
  )
}

type TextProps = {
  readonly name: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly hint?: string
  readonly type?: 'text' | 'datetime-local' | 'search' | 'password'
  readonly isRequired?: boolean
  readonly placeholder?: string
  /** Identifies the field to a shortcut. */
  readonly mark?: string
}

export function TextField(props: TextProps) {
  const { name, value, onValue, hint, type = 'text', isRequired = false, placeholder, mark } = props
  return (
    <Field name={name} {...(hint === undefined ? {} : { hint })}>
      {(id) => {
        const attributes = {
          id,
          autocomplete: 'off',
          spellcheck: false,
          'data-mark': mark,
          placeholder,
          required: isRequired,
          value,
          onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
            onValue(currentTarget.value),
        } as const
        if (type === 'search') return <input type="search" {...attributes} />
        if (type === 'password') return <input type="password" {...attributes} />
        if (type === 'datetime-local') return <input type="datetime-local" {...attributes} />
        return <input type="text" {...attributes} />
      }}
    </Field>
  )
}

type SelectProps<Choice extends string> = {
  readonly name: string
  readonly choices: readonly (readonly [Choice, string])[]
  readonly value: Choice
  readonly onValue: (value: Choice) => void
}

export function SelectField<Choice extends string>(props: SelectProps<Choice>) {
  const { name, choices, value, onValue } = props
  return (
    <Field name={name}>
      {(id) => (
        <select
          id={id}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = choices[currentTarget.selectedIndex]
            if (chosen !== undefined) onValue(chosen[0])
          }}
        >
          {choices.map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

type CheckProps = {
  readonly name: string
  readonly hint?: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly isDisabled?: boolean
}

export function CheckField({ name, hint, isOn, onChange, isDisabled = false }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        {name}
        {hint === undefined ? null : <small class="hint">{hint}</small>}
      </span>
    </label>
  )
}

type SegmentsProps<Choice extends string> = {
  readonly name: string
  readonly choices: readonly (readonly [Choice, string])[]
  readonly value: Choice
  readonly onValue: (value: Choice) => void
  readonly kind?: string
}

/** Radio buttons that look like one switch; arrow keys move between them. */
export function Segments<Choice extends string>(props: SegmentsProps<Choice>) {
  const { name, choices, value, onValue, kind = '' } = props
  const group = useId()
  return (
    <fieldset class={`segments ${kind}`}>
      <legend class="unseen">{name}</legend>
      {choices.map(([choice, words]) => (
        <label key={choice} data-choice={choice}>
          <input
            type="radio"
            name={group}
            checked={choice === value}
            onChange={() => onValue(choice)}
          />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The message of an error, if there is one. */
export function Problem({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null
  return (
    <p class="problem" role="alert">
      {typeof error === 'string' ? error : explain(error)}
    </p>
  )
}

export type Sending = {
  readonly isBusy: boolean
  readonly error: unknown
  readonly clear: () => void
  /** Ignores further calls until the work is done, such as a second click. */
  readonly send: (work: () => Promise<void>) => Promise<void>
}

export function useSending(): Sending {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  // A second click can come before the next render.
  const isSending = useRef(false)
  return {
    isBusy,
    error,
    clear: () => setError(null),
    send: async (work) => {
      if (isSending.current) return
      isSending.current = true
      setBusy(true)
      setError(null)
      try {
        await work()
      } catch (failure) {
        setError(failure)
      } finally {
        isSending.current = false
        setBusy(false)
      }
    },
  }
}
