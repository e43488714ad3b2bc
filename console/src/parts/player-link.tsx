// The name of a player, which leads to its page.

import { hrefOfPlayer } from '../route.ts'

export function PlayerLink({ id }: { id: string }) {
  return (
    <a class="player" href={hrefOfPlayer(id)}>
      {id}
    </a>
  )
}
