// Short notices about completed actions, which disappear after a while. Errors stay in their forms.

import { signal } from '@preact/signals'

type Toast = { readonly id: number; readonly text: string }

const shownMs = 5_000
const toastsMax = 3

const toasts = signal<readonly Toast[]>([])
let count = 0

export function notify(text: string): void {
  const id = ++count
  toasts.value = [...toasts.value, { id, text }].slice(-toastsMax)
  setTimeout(() => {
    toasts.value = toasts.value.filter((toast) => toast.id !== id)
  }, shownMs)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text }) => (
        <p key={id} class="toast">
          {text}
        </p>
      ))}
    </div>
  )
}
