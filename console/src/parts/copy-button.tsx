// Copies a text to the clipboard.

import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

const noticeMs = 2_000

export function CopyButton({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), noticeMs)
  }
  return (
    <button type="button" class="quiet copy" onClick={copy} aria-label={`Copy ${name}`}>
      <Icon name="copy" />
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
    </button>
  )
}

/** Browsers offer the clipboard on https and localhost only; elsewhere a selection is copied. */
async function writeText(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

/** A secret that will not be shown again. */
export function SecretOnce({ name, text }: { name: string; text: string }) {
  return (
    <div class="secret" role="status">
      <p>
        <strong>{name}</strong> It is shown only once. Copy it now and keep it safe.
      </p>
      <div class="secret-line">
        <code>{text}</code>
        <CopyButton text={text} name={name} />
      </div>
    </div>
  )
}
