// The audit log: who has managed what, when and why. Its filters are in the address.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { isoOf, localInput } from '../figures.ts'
import { useLoaded } from '../loaded.ts'
import { CsvDownload } from '../parts/csv-download.tsx'
import { SelectField, TextField } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { Empty, LoadState } from '../parts/panel.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { useQueryFields } from '../route.ts'
import { actionsFor, actionWords } from './action-words.ts'
import { AuditTable } from './audit-table.tsx'

const defaults = {
  ...{ action: '', targetId: '', keyId: '', operatorId: '' },
  ...{ from: '', to: '' },
}
export type AuditFilters = Readonly<Record<keyof typeof defaults, string>>

const pageSize = 25

export function AuditPage({ isOfAll = false }: { isOfAll?: boolean }) {
  const [fields, change] = useQueryFields(defaults)
  const [cursors, setCursors] = useState<readonly string[]>([])
  const set = (changes: Partial<AuditFilters>) => {
    change(changes)
    setCursors([])
  }
  const cursor = cursors.at(-1)
  const query = queryOf(fields, isOfAll)
  const page = useLoaded(() => {
    const whole = { ...query, cursor, limit: pageSize }
    return isOfAll ? exchange().admin.audit(whole) : exchange().audit.list(whole)
  }, [JSON.stringify(query), cursor, isOfAll])
  return (
    <Page
      title="Audit log"
      actions={
        <>
          <CsvDownload
            name="audit"
            pages={(options) =>
              isOfAll
                ? exchange().admin.auditCsv(query, options)
                : exchange().audit.csv(query, options)
            }
          />
          <button type="button" onClick={page.reload}>
            Refresh
          </button>
        </>
      }
    >
      <p class="lead">Who has managed what, when and why. Orders are not part of it.</p>
      <Filters isOfAll={isOfAll} fields={fields} onChange={set} />
      {page.data === null || page.error !== null ? (
        <LoadState of={page} what="Audit logs" />
      ) : page.data.entries.length === 0 ? (
        <Empty>
          {Object.keys(query).length === 0 ? 'No acts yet.' : 'No act matches these filters.'}
        </Empty>
      ) : (
        <>
          <AuditTable entries={page.data.entries} isOfAll={isOfAll} onFilter={set} />
          <Pager
            page={page.data}
            shown={page.data.entries.length}
            {...{ pageSize, cursors, onCursors: setCursors }}
          />
        </>
      )}
    </Page>
  )
}

/** Of the request; an action or a time in the address that there is not counts as none. */
function queryOf(fields: AuditFilters, isOfAll: boolean) {
  const action = actionsFor(isOfAll).find((each) => each === fields.action)
  const ids = { targetId: fields.targetId, keyId: fields.keyId }
  const texts = { ...ids, ...(isOfAll ? { operatorId: fields.operatorId } : {}) }
  const times = { from: timeOf(fields.from), to: timeOf(fields.to) }
  const given = Object.entries({ ...texts, ...times }).filter(([, text]) => text.trim() !== '')
  const trimmed = Object.fromEntries(given.map(([name, text]) => [name, text.trim()]))
  return { ...trimmed, ...(action === undefined ? {} : { action }) }
}

function timeOf(text: string): string {
  return Number.isNaN(Date.parse(text)) ? '' : text
}

type FiltersProps = {
  readonly isOfAll: boolean
  readonly fields: AuditFilters
  readonly onChange: (to: Partial<AuditFilters>) => void
}

function Filters({ isOfAll, fields, onChange }: FiltersProps) {
  const choices = actionsFor(isOfAll).map(
    (action) => [action as string, actionWords[action]] as const,
  )
  const isFiltered = Object.values(fields).some((value) => value !== '')
  const time = (name: 'from' | 'to') => localInput(timeOf(fields[name]) || null)
  return (
    <div class="filters audit-filters">
      <SelectField
        name="Act"
        choices={[['', 'All acts'], ...choices]}
        value={fields.action}
        onValue={(action) => onChange({ action })}
      />
      <SearchField
        name="Target ID"
        value={fields.targetId}
        onValue={(targetId) => onChange({ targetId })}
      />
      <SearchField name="Key ID" value={fields.keyId} onValue={(keyId) => onChange({ keyId })} />
      {isOfAll ? (
        <SearchField
          name="Operator ID"
          value={fields.operatorId}
          onValue={(operatorId) => onChange({ operatorId })}
        />
      ) : null}
      <TextField
        name="From"
        type="datetime-local"
        value={time('from')}
        onValue={(from) => onChange({ from: isoOf(from) ?? '' })}
      />
      <TextField
        name="To"
        type="datetime-local"
        value={time('to')}
        onValue={(to) => onChange({ to: isoOf(to) ?? '' })}
      />
      {isFiltered ? (
        <button type="button" class="quiet" onClick={() => onChange(defaults)}>
          Clear filters
        </button>
      ) : null}
    </div>
  )
}
