// How the public page of a market words a status and shows numbers. render.ts uses it in the
// service, and page.js in the browser, so that a page looks the same before and after a renewal.

export const statusWords = {
  DRAFT: 'Draft',
  UPCOMING: 'Upcoming',
  OPEN: 'Open',
  SUSPENDED: 'Suspended',
  CLOSED: 'Closed',
  RESOLVED: 'Resolved',
  SETTLED: 'Settled',
  CANCELLED: 'Cancelled',
}

/** What the outcome paid, else the middle of its book, else its last price. */
export function chanceOf({ payoutPerShare, bestBid, bestAsk, lastPrice }) {
  const middle = bestBid !== null && bestAsk !== null ? (bestBid + bestAsk) / 2 : lastPrice
  const chance = payoutPerShare ?? middle
  return chance === null ? '–' : `${(chance * 100).toFixed(1)}%`
}

export function priceText(price) {
  return price === null ? '–' : price.toFixed(4).replace(/0{1,2}$/, '')
}

/** A decimal with commas between the thousands. */
export function grouped(decimal) {
  const [whole, ...rest] = decimal.split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.')
}
