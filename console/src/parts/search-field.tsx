// A field that filters a list: it reports what was typed after a pause.

import { useEffect, useState } from 'preact/hooks'
import { TextField } from './form.tsx'

const typingMs = 250

type Props = {
  readonly name: string
  readonly value: string
  /** Without spaces at its ends. */
  readonly onValue: (value: string) => void
  readonly placeholder?: string
  /** Identifies the field to a shortcut. */
  readonly mark?: string
}

export function SearchField({ value, onValue, ...more }: Props) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onValue(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  return <TextField {...more} type="search" value={typed} onValue={setTyped} />
}
