// The public page of a market as HTML. Every text of an operator is escaped, and isolated from the
// direction of the texts around it. page.js renews what has a data attribute.

import type { PublicMarket } from '../../schemas/public-market.ts'
import { chanceOf, grouped, priceText, statusWords } from './figures.js'

export const root = '/m'

/** A link preview shows about so much. */
const previewMax = 200

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => escapes[letter]!)
}

type Shown = { readonly market: PublicMarket; readonly isEmbedded: boolean }

export function marketPage({ market, isEmbedded }: Shown): string {
  const { description, id, title } = market
  const about = previewOf(market)
  const head = `
<meta name="description" content="${escapeHtml(about)}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Outcry">
<meta property="og:title" content="${escapeHtml(title)}">
<meta property="og:description" content="${escapeHtml(about)}">
<meta name="twitter:card" content="summary">
<script type="module" src="${root}/page.js"></script>`
  const text =
    description === null ? '' : `<p class="description" dir="auto">${escapeHtml(description)}</p>`
  const foot = isEmbedded
    ? `<footer><a href="${root}/${id}" target="_blank" rel="noopener">Open the market</a></footer>`
    : ''
  return document({
    title,
    head,
    body: `<main data-market="${id}"${isEmbedded ? ' class="embedded"' : ''}>
<p class="status" data-status="${market.status}">${statusWords[market.status]}</p>
<h1 dir="auto">${escapeHtml(title)}</h1>
${text}
<div class="scroll"><table>
<thead><tr><th scope="col">Outcome</th><th scope="col">Chance</th><th scope="col">Buy</th>
<th scope="col">Sell</th><th scope="col" class="wide">Last</th></tr></thead>
<tbody>
${market.outcomes.map(row).join('\n')}
</tbody>
</table></div>
<dl>
<div><dt>Shares traded</dt><dd data-volume>${grouped(market.totalVolume)}</dd></div>
${timeOf('Trading starts', 'starts', market.tradingStartsAt)}
${timeOf('Trading ends', 'ends', market.tradingEndsAt)}
${timeOf('Resolved', 'resolved', market.resolvedAt)}
</dl>
<p class="note" role="status" data-note></p>
</main>
${foot}`,
  })
}

export function notFoundPage(): string {
  return document({
    title: 'No such page',
    head: '\n<meta name="robots" content="noindex">',
    body: `<main>
<h1>There is no public page here</h1>
<p class="description">The address may be wrong, or its market is not public any more.</p>
</main>`,
  })
}

type Parts = { readonly title: string; readonly head: string; readonly body: string }

function document({ title, head, body }: Parts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/page.css">${head}
</head>
<body>
<header><span class="brand">Outcry</span></header>
${body}
</body>
</html>
`
}

type Outcome = PublicMarket['outcomes'][number]

function row(outcome: Outcome): string {
  const { description, id, name } = outcome
  const about = description === null ? '' : `<small dir="auto">${escapeHtml(description)}</small>`
  const { bestAsk, bestBid, lastPrice } = outcome
  return `<tr data-outcome="${id}"><th scope="row"><bdi>${escapeHtml(name)}</bdi>${about}</th>
<td data-chance class="chance">${chanceOf(outcome)}</td>
<td data-ask>${priceText(bestAsk)}</td><td data-bid>${priceText(bestBid)}</td>
<td data-last class="wide">${priceText(lastPrice)}</td></tr>`
}

/** Without JavaScript a time is shown in UTC; page.js shows it as the reader has it. */
function timeOf(name: string, mark: string, time: string | null): string {
  const shown = time === null ? '–' : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
  const value = time === null ? '' : ` datetime="${time}"`
  return `<div><dt>${name}</dt><dd><time data-${mark}${value}>${shown}</time></dd></div>`
}

function previewOf({ description, outcomes }: PublicMarket): string {
  const chances = outcomes.map((outcome) => `${outcome.name} ${chanceOf(outcome)}`).join(' · ')
  const text = description === null ? chances : `${chances} – ${description}`
  const letters = [...text.replace(/\s+/g, ' ')]
  return letters.length <= previewMax
    ? letters.join('')
    : `${letters.slice(0, previewMax - 1).join('')}…`
}
