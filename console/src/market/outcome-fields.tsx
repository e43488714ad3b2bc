// The outcomes of a new market. A list that is pasted becomes one outcome a line.

import { Icon } from '../parts/icon.tsx'

const outcomesMax = 256

type Props = {
  readonly outcomes: readonly string[]
  readonly onOutcomes: (outcomes: readonly string[]) => void
}

export function OutcomeFields({ outcomes, onOutcomes }: Props) {
  const repeated = repeatedOf(outcomes)
  return (
    <fieldset class="outcome-fields">
      <legend>Outcomes</legend>
      <p class="hint">
        2 to {outcomesMax}. Paste a list to add one for each line.
        {repeated === null ? null : (
          <strong role="status"> “{repeated}” is there more than once.</strong>
        )}
      </p>
      {outcomes.map((name, at) => (
        <div class="outcome-field" key={at}>
          <input
            aria-label={`Outcome ${at + 1}`}
            required
            value={name}
            onInput={({ currentTarget }) => onOutcomes(outcomes.with(at, currentTarget.value))}
            onPaste={(event) => {
              const lines = linesOf(event.clipboardData?.getData('text') ?? '')
              if (lines.length < 2) return
              event.preventDefault()
              onOutcomes(withLines(outcomes, at, lines))
            }}
          />
          <button
            type="button"
            class="icon-button"
            aria-label={`Remove outcome ${at + 1}`}
            disabled={outcomes.length <= 2}
            onClick={() => onOutcomes(outcomes.toSpliced(at, 1))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        disabled={outcomes.length >= outcomesMax}
        onClick={() => onOutcomes([...outcomes, ''])}
      >
        <Icon name="plus" />
        Add outcome
      </button>
    </fieldset>
  )
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The lines replace the field that they are pasted into, and the usual outcomes if untouched. */
function withLines(outcomes: readonly string[], at: number, lines: readonly string[]) {
  const isUntouched = outcomes.join() === 'Yes,No'
  const pasted = isUntouched ? lines : outcomes.toSpliced(at, 1, ...lines)
  return pasted.slice(0, outcomesMax)
}

function repeatedOf(outcomes: readonly string[]): string | null {
  const seen = new Set<string>()
  for (const outcome of outcomes) {
    const name = outcome.trim()
    if (name !== '' && seen.has(name)) return name
    seen.add(name)
  }
  return null
}
