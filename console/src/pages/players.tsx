// Looks up a player by its id.

import { useState } from 'preact/hooks'
import { TextField } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import { go, hrefOfPlayer, useQueryFields } from '../route.ts'
import { PlayerPage } from './player.tsx'

const root = '/console'

export function PlayersPage() {
  // Of ids that cannot be in a path.
  const [{ id }] = useQueryFields({ id: '' })
  return id === '' ? <LookUp /> : <PlayerPage key={id} playerId={id} />
}

function LookUp() {
  const [typed, setTyped] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    if (typed.trim() !== '') go(hrefOfPlayer(typed.trim()).slice(root.length))
  }
  return (
    <Page title="Players">
      <p class="lead">Look up a player by the ID that your backend uses.</p>
      <form class="filters" onSubmit={submit}>
        <TextField name="Player" value={typed} onValue={setTyped} isRequired />
        <button type="submit" class="primary">
          Look up
        </button>
      </form>
    </Page>
  )
}
