// The players that have had a position, by the begin of their ids. Any id can be looked up.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { grouped } from '../figures.ts'
import { useLoaded } from '../loaded.ts'
import { CsvDownload } from '../parts/csv-download.tsx'
import { Heads } from '../parts/heads.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { Empty, LoadState } from '../parts/panel.tsx'
import { PlayerLink } from '../parts/player-link.tsx'
import { Scroller } from '../parts/scroller.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { go, pathOfPlayer, useQueryFields } from '../route.ts'
import type { ListedPlayer } from '../wire.ts'
import { PlayerPage } from './player.tsx'

const pageSize = 25

export function PlayersPage() {
  // Of ids that cannot be in a path.
  const [{ id }] = useQueryFields({ id: '' })
  return id === '' ? <PlayerList /> : <PlayerPage key={id} playerId={id} />
}

function PlayerList() {
  const [{ search }, change] = useQueryFields({ search: '' })
  const [cursors, setCursors] = useState<readonly string[]>([])
  const cursor = cursors.at(-1)
  const query = search === '' ? {} : { search }
  const page = useLoaded(
    () => exchange().players.list({ ...query, cursor, limit: pageSize }),
    [search, cursor],
  )
  const onSearch = (text: string) => {
    change({ search: text })
    setCursors([])
  }
  return (
    <Page
      title="Players"
      actions={
        <CsvDownload name="players" pages={(options) => exchange().players.csv(query, options)} />
      }
    >
      <p class="lead">
        Players that have had a position, by the IDs that your backend uses. Enter opens the player
        with exactly the ID that you typed.
      </p>
      <form class="filters" onSubmit={open}>
        <SearchField name="Player ID" value={search} onValue={onSearch} placeholder="Begins with" />
      </form>
      {page.data === null || page.error !== null ? (
        <LoadState of={page} what="Players" />
      ) : (
        <>
          {page.data.players.length > 0 ? (
            <PlayerTable players={page.data.players} />
          ) : (
            <Empty>{search === '' ? 'No player has had a position yet.' : 'No such player.'}</Empty>
          )}
          <Pager
            page={page.data}
            shown={page.data.players.length}
            {...{ pageSize, cursors, onCursors: setCursors }}
          />
        </>
      )}
    </Page>
  )
}

/** What is in the field now, which may not be the search yet. */
function open(event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void {
  event.preventDefault()
  const typed = event.currentTarget.querySelector('input')?.value.trim() ?? ''
  if (typed !== '') go(pathOfPlayer(typed))
}

function PlayerTable({ players }: { players: readonly ListedPlayer[] }) {
  return (
    <Scroller name="Players">
      <table class="table">
        <Heads columns={['Player', ['Positions', 'number'], ['Open orders', 'number']]} />
        <tbody>
          {players.map(({ playerId, positions, openOrders }) => (
            <tr key={playerId}>
              <th scope="row">
                <PlayerLink id={playerId} />
              </th>
              <td class="number">{grouped(String(positions))}</td>
              <td class="number">{grouped(String(openOrders))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
