// A category that is made or edited. Its short name stays: others may have written it down.

import { useEffect, useRef, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { Worded } from '../explain.ts'
import { CheckField, Problem, TextField, useSending } from '../parts/form.tsx'
import { Panel } from '../parts/panel.tsx'
import { notify } from '../parts/toast.tsx'
import type { Category } from '../wire.ts'

type Props = {
  /** null for a new one. */
  readonly edited: Category | null
  readonly onSaved: () => void
  readonly onDiscard: () => void
}

export function CategoryForm({ edited, onSaved, onDiscard }: Props) {
  const blank = { name: '', slug: '', description: '', place: '', isActive: true }
  const [draft, setDraft] = useState<Draft>(edited === null ? blank : draftOf(edited))
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const { isBusy, error, send } = useSending()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (edited !== null) form.current?.querySelector('input')?.focus()
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    send(async () => {
      await save(edited, draft)
      notify(edited === null ? 'The category is created.' : 'The category is saved.')
      setDraft(blank)
      onSaved()
    })
  }
  return (
    <Panel title={edited === null ? 'Add a category' : `Edit ${edited.name}`}>
      <form class="stack" ref={form} onSubmit={submit}>
        <Fields isNew={edited === null} draft={draft} change={change} />
        <Problem error={error} />
        <div class="form-foot">
          <button type="submit" class="primary" disabled={isBusy}>
            {edited === null ? 'Add category' : 'Save'}
          </button>
          {edited === null ? null : (
            <button type="button" class="quiet" onClick={onDiscard}>
              Discard
            </button>
          )}
        </div>
      </form>
    </Panel>
  )
}

type Draft = {
  readonly name: string
  readonly slug: string
  readonly description: string
  /** As typed. */
  readonly place: string
  readonly isActive: boolean
}

type FieldsProps = {
  readonly isNew: boolean
  readonly draft: Draft
  readonly change: (changes: Partial<Draft>) => void
}

function Fields({ isNew, draft, change }: FieldsProps) {
  const { name, slug, description, place, isActive } = draft
  const rename = (next: string) => {
    // The short name follows the name until somebody writes another.
    const follows = isNew && slug === slugOf(name)
    change({ name: next, ...(follows ? { slug: slugOf(next) } : {}) })
  }
  return (
    <>
      <TextField name="Name" value={name} onValue={rename} isRequired />
      {isNew ? (
        <TextField
          name="Short name"
          value={slug}
          onValue={(next) => change({ slug: next })}
          hint="For addresses: small letters, digits and dashes."
          isRequired
        />
      ) : null}
      <TextField
        name="Description"
        value={description}
        onValue={(next) => change({ description: next })}
      />
      <TextField
        name="Place"
        type="number"
        value={place}
        onValue={(next) => change({ place: next })}
        hint="Lower ones are shown first."
        placeholder="0"
      />
      {isNew ? null : (
        <CheckField
          name="Active"
          hint="A hidden one is not offered for markets."
          isOn={isActive}
          onChange={(isOn) => change({ isActive: isOn })}
        />
      )}
    </>
  )
}

function draftOf({ name, slug, description, sortOrder, isActive }: Category): Draft {
  return { name, slug, description: description ?? '', place: String(sortOrder), isActive }
}

async function save(edited: Category | null, draft: Draft): Promise<void> {
  const { categories } = exchange()
  const place = draft.place.trim() === '' ? 0 : Number(draft.place)
  if (!Number.isInteger(place)) throw new Worded('The place is a whole number.')
  const about = draft.description.trim()
  const body = { name: draft.name.trim(), sortOrder: place }
  if (edited === null) {
    const described = about === '' ? {} : { description: about }
    await categories.create({ ...body, ...described, slug: draft.slug.trim() })
  } else {
    const description = about === '' ? null : about
    await categories.edit(edited.id, { ...body, description, isActive: draft.isActive })
  }
}

/** "World Cup 2026" as "world-cup-2026". */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase()
  return plain
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
