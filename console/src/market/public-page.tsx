// The link to the public page of a market, and what to put into another site to show it there.

import { CopyButton } from '../parts/copy-button.tsx'
import type { Market } from '../wire.ts'

const height = 480

export function PublicPage({ market }: { market: Market }) {
  if (!market.publicPage || market.status === 'DRAFT') return null
  const address = `${location.origin}/m/${market.id}`
  return (
    <p class="public-page">
      <a href={address} target="_blank" rel="noopener">
        Public page
      </a>
      <span>Embed in a site</span>
      <CopyButton text={snippetOf(address, market.title)} name="embed snippet" />
    </p>
  )
}

function snippetOf(address: string, title: string): string {
  const name = title.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const looks = `width="100%" height="${height}" style="border:0" loading="lazy"`
  return `<iframe src="${address}/embed" title="${name}" ${looks}></iframe>`
}
