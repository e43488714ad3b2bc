// Books as scripts. Orders go in line by line: `buy B1 10 @ 60`, `sell S1 5 @ market`,
// `sell S1 5 @ 60 for 1000` (ms), `mint S1 100`, `cancel S1` (its earliest), `wait 1000`. What came
// of it is claimed by `trade S1 B1 10 @ 60`, `rests`, `rejects` and `holds`; see Script for how.

import { decimals, textOf } from '../../../src/core/money.ts'
import { newExchange, type Turn } from './exchange.ts'

/** Prices are in cents. */
const centDecimals = decimals.price - 2

export function check(text: string): void {
  new Script(linesOf(text)).run()
}

/** Also with BUY and SELL exchanged and every price seen from the other end of the scale. */
export function checkBothSides(text: string): void {
  check(text)
  check(linesOf(text).map(mirrored).join('\n'))
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '')
}

/** A script must claim every trade, every rejection, and every order that rests at its end. */
class Script {
  readonly #lines: readonly string[]
  readonly #test = newExchange()
  readonly #holders: ReadonlySet<string>
  readonly #playerOf = new Map<string, string>()
  /** Open orders by player, earliest first. */
  readonly #placed: { readonly player: string; readonly orderId: string }[] = []
  #unclaimed: string[] = []
  #rejection: string | null = null
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
    this.#holders = new Set(
      lines.filter((line) => /^mint /.test(line)).map((line) => word(line, 1)),
    )
  }

  run(): void {
    for (const line of this.#lines) {
      if (this.#rejection !== null && !line.startsWith('rejects ')) this.#fail(this.#rejection)
      this.#step(line)
      this.#at += 1
    }
    if (this.#rejection !== null) this.#fail(this.#rejection)
    if (this.#unclaimed.length > 0) this.#fail(this.#unclaimed.join('\n'))
    this.#compareRests()
  }

  #step(line: string): void {
    const [verb, player = '', second = ''] = line.split(' ')
    if (verb === 'buy' || verb === 'sell') this.#order(line)
    else if (verb === 'mint') this.#note(player, this.#test.mint(player, Number(second)))
    else if (verb === 'cancel') this.#cancel(player)
    else if (verb === 'wait') this.#test.wait(Number(player))
    else if (verb === 'trade') this.#claim(line, this.#unclaimed.shift() ?? 'no trade')
    else if (verb === 'rejects') this.#claimRejection(line)
    else if (verb === 'holds') this.#claim(line, this.#holding(player, line.split(' ').length))
    else if (verb !== 'rests') this.#fail('no line that can be read')
  }

  // A seller that no line gives shares to gets them as it needs them.
  #order(line: string): void {
    const parts = /^(\w+) (\w+) ([\d.]+) @ (market|[\d.]+)(?: for (\d+))?$/.exec(line)
    const [, verb, player = '', shares, price, lifeMs] =
      parts ?? this.#fail('no line that can be read')
    if (verb === 'sell' && !this.#holders.has(player)) this.#test.mint(player, Number(shares))
    const turn = this.#test[verb as 'buy' | 'sell'](
      player,
      Number(shares),
      price === 'market' ? 'market' : Number(price) / 100,
      lifeMs === undefined ? {} : { expiresAt: this.#test.now + Number(lifeMs) },
    )
    this.#note(player, turn)
    if (turn.placement === null) return
    const { order, trades } = turn.placement
    this.#playerOf.set(order.id, player)
    this.#placed.push({ player, orderId: order.id })
    for (const { sellOrderId, buyOrderId, ...trade } of trades) {
      const seller = this.#playerOf.get(sellOrderId)
      this.#unclaimed.push(`trade ${seller} ${this.#playerOf.get(buyOrderId)} ${terms(trade)}`)
    }
  }

  #cancel(player: string): void {
    const open = new Set(this.#test.save().orders.map(({ serial }) => serial))
    const { ids } = this.#test.core
    const earliest = this.#placed.find(
      (order) => order.player === player && open.has(ids.serialOf(order.orderId)!),
    )
    const { orderId } = earliest ?? this.#fail(`no open order of ${player}`)
    this.#note(player, this.#test.cancel(orderId))
  }

  #note(player: string, turn: Turn): void {
    if (turn.code !== null) this.#rejection = `rejects ${player} ${turn.code}`
  }

  #claimRejection(line: string): void {
    this.#claim(line, this.#rejection ?? 'no rejection')
    this.#rejection = null
  }

  // As many words of it as the line gives.
  #holding(player: string, words: number): string {
    const held = this.#test.holding(player)
    if (held === null) return `${player} never held any`
    const { shares, cost, profit } = held
    const whole = `holds ${player} ${shares} cost ${cost} profit ${profit}`
    return whole.split(' ').slice(0, words).join(' ')
  }

  #compareRests(): void {
    const claimed = this.#lines.filter((line) => line.startsWith('rests ')).sort()
    const rests = this.#test
      .save()
      .orders.map(({ playerId, shares, filled, price }) => {
        return `rests ${playerId} ${terms({ shares: shares - filled, price })}`
      })
      .sort()
    if (claimed.join('\n') !== rests.join('\n')) this.#fail(rests.join('\n') || 'an empty book')
  }

  #claim(line: string, actual: string): void {
    if (line !== actual) this.#fail(actual)
  }

  #fail(actual: string): never {
    const shown = this.#lines.map((line, at) => `${at === this.#at ? '>' : ' '} ${line}`)
    throw new Error(`The script went wrong.\n${shown.join('\n')}\nThere was:\n  ${actual}`)
  }
}

function terms({ shares, price }: { shares: number; price: number }): string {
  return `${textOf(shares, decimals.shares)} @ ${textOf(price, centDecimals)}`
}

function word(line: string, at: number): string {
  return line.split(' ')[at] ?? ''
}

function mirrored(line: string): string {
  if (/^(?:mint|holds)\b/.test(line)) throw new Error(`"${line}" has no mirror image.`)
  return line
    .replace(/^(?:buy|sell)\b/, (verb) => (verb === 'buy' ? 'sell' : 'buy'))
    .replace(/^trade (\w+) (\w+)/, 'trade $2 $1')
    .replace(/@ ([\d.]+)/, (_, price) => `@ ${textOf(10_000 - Math.round(price * 100), 2)}`)
}
