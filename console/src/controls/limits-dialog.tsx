// Sets the limits of one player, or those that all players have by default.

import { useState } from 'preact/hooks'
import { Confirm } from '../parts/confirm.tsx'
import { Segments } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { notify } from '../parts/toast.tsx'
import type { Limits, LimitsRequest } from '../wire.ts'
import { type LimitName, limitNames, limitWords } from './limit-words.ts'
import { type LimitChoice, limitText, requestOf, type TypedLimit, typedLimitsOf } from './limits.ts'

type Props = {
  readonly title: string
  readonly limits: Limits | null
  /** What a player has without own limits; null until known. Absent in the dialog for these. */
  readonly defaults?: Limits | null
  readonly put: (limits: LimitsRequest) => Promise<unknown>
  readonly onDone: () => void
  readonly onClose: () => void
}

export function LimitsDialog({ title, limits, defaults, put, onDone, onClose }: Props) {
  const [typed, setTyped] = useState(() => typedLimitsOf(limits))
  const confirm = async () => {
    await put(requestOf(typed))
    notify('The limits are saved.')
    onDone()
  }
  return (
    <Confirm title={title} verb="Save limits" onConfirm={confirm} onClose={onClose}>
      <p class="hint">They hold for buying and minting. Open orders stay, also above a limit.</p>
      {limitNames.map((name) => {
        const fieldProps = {
          name,
          limit: typed[name],
          onLimit: (limit: TypedLimit) => setTyped({ ...typed, [name]: limit }),
        }
        return defaults === undefined ? (
          <DefaultField key={name} {...fieldProps} />
        ) : (
          <OwnFields key={name} {...fieldProps} byDefault={defaults?.[name] ?? null} />
        )
      })}
    </Confirm>
  )
}

type FieldProps = {
  readonly name: LimitName
  readonly limit: TypedLimit
  readonly onLimit: (limit: TypedLimit) => void
}

function DefaultField({ name, limit, onLimit }: FieldProps) {
  const { name: words, about } = limitWords[name]
  return (
    <NumberField
      name={words}
      value={limit.typed}
      onValue={(typed) => onLimit({ choice: typed.trim() === '' ? 'NONE' : 'OWN', typed })}
      placeholder="No limit"
      hint={about}
    />
  )
}

type OwnProps = FieldProps & { readonly byDefault: string | null }

function OwnFields({ name, limit, onLimit, byDefault }: OwnProps) {
  const { name: words, about } = limitWords[name]
  const usual = byDefault === null ? 'Default' : `Default: ${limitText(name, byDefault)}`
  const choices: readonly (readonly [LimitChoice, string])[] = [
    ['DEFAULT', usual],
    ['NONE', 'No limit'],
    ['OWN', 'Own limit'],
  ]
  return (
    <fieldset class="choice-fields">
      <legend>{words}</legend>
      <Segments
        name={`Limit: ${words}`}
        choices={choices}
        value={limit.choice}
        onValue={(choice) => onLimit({ ...limit, choice })}
      />
      {limit.choice === 'OWN' ? (
        <NumberField
          name="At most"
          value={limit.typed}
          onValue={(typed) => onLimit({ ...limit, typed })}
          hint={about}
        />
      ) : null}
    </fieldset>
  )
}
