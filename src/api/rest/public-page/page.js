// Keeps the public page of a market current: asks for it every few seconds while it is visible.

import { chanceOf, grouped, priceText, statusWords } from './figures.js'

const everyMs = 5_000
const slowestMs = 60_000
const over = new Set(['SETTLED', 'CANCELLED'])

const main = document.querySelector('[data-market]')
const part = (name, within = main) => within.querySelector(`[data-${name}]`)
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
let waitMs = everyMs

for (const name of ['starts', 'ends', 'resolved']) {
  showTime(name, part(name).getAttribute('datetime'))
}
setTimeout(renew, waitMs)

async function renew() {
  if (document.hidden) {
    document.addEventListener('visibilitychange', renew, { once: true })
    return
  }
  try {
    const response = await fetch(`/api/v1/public/markets/${main.dataset.market}`)
    if (response.status === 404) {
      say('This page is not public any more.')
      return
    }
    if (!response.ok) throw new Error(`status ${response.status}`)
    const { data } = await response.json()
    show(data)
    say('')
    waitMs = everyMs
    if (over.has(data.status)) return
  } catch {
    say('The prices are not current. Trying again …')
    waitMs = Math.min(waitMs * 2, slowestMs)
  }
  setTimeout(renew, waitMs)
}

function show(market) {
  const status = part('status')
  status.dataset.status = market.status
  status.textContent = statusWords[market.status] ?? market.status
  part('volume').textContent = grouped(market.totalVolume)
  showTime('starts', market.tradingStartsAt)
  showTime('ends', market.tradingEndsAt)
  showTime('resolved', market.resolvedAt)
  for (const outcome of market.outcomes) {
    const row = part(`outcome="${outcome.id}"`)
    if (row === null) continue
    part('chance', row).textContent = chanceOf(outcome)
    part('ask', row).textContent = priceText(outcome.bestAsk)
    part('bid', row).textContent = priceText(outcome.bestBid)
    part('last', row).textContent = priceText(outcome.lastPrice)
  }
}

function showTime(name, time) {
  const element = part(name)
  element.textContent = time ? times.format(new Date(time)) : '–'
}

function say(text) {
  const note = part('note')
  if (note.textContent !== text) note.textContent = text
}
