// A confirmation dialog. An action that cannot be undone, or stops trading, requires typing its
// word.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { Problem, TextField, useSending } from './form.tsx'

type Props = {
  readonly title: string
  readonly verb: string
  /** The word to type before the action. */
  readonly word?: string
  /** Before what to type. */
  readonly warning?: string
  readonly isReady?: boolean
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

export function Confirm(props: Props) {
  const { title, verb, word, isReady = true, onConfirm, onClose, children } = props
  const { warning = 'You cannot undo this.' } = props
  const [typed, setTyped] = useState('')
  const { isBusy, error, send } = useSending()
  const isAllowed = isReady && (word === undefined || typed.trim().toUpperCase() === word)
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isAllowed) return
    send(async () => {
      await onConfirm()
      onClose()
    })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {children}
        {word === undefined ? null : (
          <TextField name={`${warning} Type ${word} to confirm`} value={typed} onValue={setTyped} />
        )}
        <Problem error={error} />
        <div class="dialog-foot">
          <button type="button" class="quiet" onClick={onClose}>
            Go back
          </button>
          <button
            type="submit"
            class={word === undefined ? 'primary' : 'danger'}
            disabled={!isAllowed || isBusy}
          >
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
