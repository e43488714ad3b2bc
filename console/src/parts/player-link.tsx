// The name of a player, which leads to its page.

import { hrefOf, pathOfPlayer } from '../route.ts'

export function PlayerLink({ id }: { id: string }) {
  return (
    <a class="player" href={hrefOf(pathOfPlayer(id))}>
      {id}
    </a>
  )
}
