// The rows of the audit log. Its targets, keys and operators filter the list.

import { dateTime, timeOfDay } from '../figures.ts'
import { Heads } from '../parts/heads.tsx'
import { Scroller } from '../parts/scroller.tsx'
import { hrefOf } from '../route.ts'
import type { AuditEntry, AuditEntryOfAll } from '../wire.ts'
import { actionWords, pageOf } from './action-words.ts'

type OnFilter = (to: { targetId?: string; keyId?: string; operatorId?: string }) => void

type Props = {
  readonly entries: readonly (AuditEntry | AuditEntryOfAll)[]
  readonly isOfAll: boolean
  readonly onFilter: OnFilter
}

export function AuditTable({ entries, isOfAll, onFilter }: Props) {
  return (
    <Scroller name="Acts">
      <table class="table compact audit-table">
        <Heads
          columns={[
            'Act',
            ['Time', 'wide-only'] as const,
            ['By', 'wide-only'] as const,
            'Reason',
            'Target',
            ...(isOfAll ? ['Operator'] : []),
            ['Request', 'wide-only'] as const,
          ]}
        />
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <th scope="row">
                <span class="act">{actionWords[entry.action] ?? entry.action}</span>
                {entry.outcome === 'DONE' ? null : <Unknown />}
                <small>
                  <span class="narrow-only">
                    <At time={entry.at} />
                    <br />
                    <By entry={entry} onFilter={onFilter} />
                  </span>
                </small>
              </th>
              <td class="wide-only">
                <At time={entry.at} />
              </td>
              <td class="wide-only by">
                <By entry={entry} onFilter={onFilter} />
              </td>
              <td class="reason">{entry.reason ?? '–'}</td>
              <td>
                <Target entry={entry} isOfAll={isOfAll} onFilter={onFilter} />
              </td>
              {isOfAll ? (
                <td>
                  <OfOperator entry={entry} onFilter={onFilter} />
                </td>
              ) : null}
              <td class="wide-only">
                <code>{entry.requestId}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}

function At({ time }: { time: string }) {
  return (
    <time dateTime={time} title={`${time} ${timeOfDay(time)}`}>
      {dateTime(time)}
    </time>
  )
}

function Unknown() {
  return (
    <small title="It is under way, or its answer was lost: look at the target.">
      Outcome unknown
    </small>
  )
}

type RowProps = { readonly entry: AuditEntry | AuditEntryOfAll; readonly onFilter: OnFilter }

function By({ entry: { keyId, keyLabel }, onFilter }: RowProps) {
  if (keyId === null) return <>Administrator</>
  const name = keyLabel ?? 'Key without a label'
  return (
    <button
      type="button"
      class="plain"
      title={`Only acts of the key ${keyId}`}
      onClick={() => onFilter({ keyId })}
    >
      {name}
    </button>
  )
}

function Target({ entry, isOfAll, onFilter }: RowProps & { readonly isOfAll: boolean }) {
  const { action, targetId } = entry
  if (targetId === null) return <>–</>
  const page = isOfAll ? null : pageOf(action, targetId)
  return (
    <>
      <Id id={targetId} title="Only acts on this target" onClick={() => onFilter({ targetId })} />
      {page === null ? null : (
        <small>
          <a href={hrefOf(page)}>View</a>
        </small>
      )}
    </>
  )
}

function OfOperator({ entry, onFilter }: RowProps) {
  const operatorId = 'operatorId' in entry ? entry.operatorId : null
  if (operatorId === null) return <>–</>
  return (
    <>
      <Id
        id={operatorId}
        title="Only acts of this operator"
        onClick={() => onFilter({ operatorId })}
      />
      <small>
        <a href={hrefOf(`/operators/${operatorId}`)}>View</a>
      </small>
    </>
  )
}

/** The end of an id tells those apart that were made at the same time. */
function Id({ id, title, onClick }: { id: string; title: string; onClick: () => void }) {
  const shown = id.length > 13 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id
  return (
    <button type="button" class="plain" title={`${title}: ${id}`} onClick={onClick}>
      <code>{shown}</code>
    </button>
  )
}
