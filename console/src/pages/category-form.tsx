// Creates or edits a category. Its short name cannot change, because URLs may contain it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { ConsoleError } from '../explain.ts'
import { CheckField, Problem, TextField, useSending } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { Panel } from '../parts/panel.tsx'
import { notify } from '../parts/toast.tsx'
import { numberOf } from '../typed-number.ts'
import type { Category } from '../wire.ts'

type Props = {
  /** Whether the category is the administrator's. */
  readonly isGlobal: boolean
  /** null to create one. */
  readonly edited: Category | null
  readonly onSaved: () => void
  readonly onDiscard: () => void
}

export function CategoryForm({ isGlobal, edited, onSaved, onDiscard }: Props) {
  const blank = { name: '', slug: '', description: '', sortOrder: '', isActive: true }
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
      await save({ isGlobal, edited, draft })
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
  readonly sortOrder: string
  readonly isActive: boolean
}

type FieldsProps = {
  readonly isNew: boolean
  readonly draft: Draft
  readonly change: (changes: Partial<Draft>) => void
}

function Fields({ isNew, draft, change }: FieldsProps) {
  const { name, slug, description, sortOrder, isActive } = draft
  const rename = (next: string) => {
    // The short name follows the name until the user edits it.
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
          hint="Used in URLs: lower-case letters, digits and hyphens."
          isRequired
        />
      ) : null}
      <TextField
        name="Description"
        value={description}
        onValue={(next) => change({ description: next })}
      />
      <NumberField
        name="Sort order"
        isSigned
        value={sortOrder}
        onValue={(next) => change({ sortOrder: next })}
        hint="Lower numbers come first."
        placeholder="0"
      />
      {isNew ? null : (
        <CheckField
          name="Active"
          hint="Market forms do not offer hidden categories."
          isOn={isActive}
          onChange={(isOn) => change({ isActive: isOn })}
        />
      )}
    </>
  )
}

function draftOf({ name, slug, description, sortOrder, isActive }: Category): Draft {
  return { name, slug, description: description ?? '', sortOrder: String(sortOrder), isActive }
}

type Saving = {
  readonly isGlobal: boolean
  readonly edited: Category | null
  readonly draft: Draft
}

async function save({ isGlobal, edited, draft }: Saving): Promise<void> {
  const { admin, categories } = exchange()
  const sortOrder = numberOf(draft.sortOrder, { isSigned: true }) ?? 0
  if (!Number.isInteger(sortOrder)) throw new ConsoleError('The sort order must be a whole number.')
  const text = draft.description.trim()
  const body = { name: draft.name.trim(), sortOrder }
  if (edited === null) {
    const described = text === '' ? {} : { description: text }
    const created = { ...body, ...described, slug: draft.slug.trim() }
    await (isGlobal ? admin.createCategory(created) : categories.create(created))
  } else {
    const description = text === '' ? null : text
    const changes = { ...body, description, isActive: draft.isActive }
    await (isGlobal ? admin.editCategory(edited.id, changes) : categories.edit(edited.id, changes))
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
