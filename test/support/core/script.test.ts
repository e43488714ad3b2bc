// Every claim that a script can make must be able to fail.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check, checkBothSides } from './script.ts'

const sale = `
  sell S1 30 @ 60
  buy  B1 10 @ 60
`

test('a script with true claims passes', () => {
  check(`${sale}
    trade S1 B1 10 @ 60
    rests S1 20 @ 60
    holds B1 10 cost 6 profit 0
    holds B1 10 cost 6
  `)
})

const falseScripts: readonly (readonly [name: string, script: string, found: RegExp])[] = [
  ['a trade of other terms', `${sale} trade S1 B1 10 @ 61`, /> trade S1 B1 10 @ 61\n/],
  ['a trade the wrong way round', `${sale} trade B1 S1 10 @ 60`, /trade S1 B1 10 @ 60$/],
  ['a trade too many', `${sale} trade S1 B1 10 @ 60\n trade S1 B1 1 @ 60`, /no trade$/],
  ['a trade too few', `${sale} rests S1 20 @ 60`, /trade S1 B1 10 @ 60$/],
  ['a trade before its time', `trade S1 B1 10 @ 60\n ${sale}`, /no trade$/],
  ['an order that rests unclaimed', `${sale} trade S1 B1 10 @ 60`, /rests S1 20 @ 60$/],
  ['an order that does not rest', 'rests S1 1 @ 60', /an empty book$/],
  ['a rejection unclaimed', 'buy B1 1 @ market', /rejects B1 ORDER_NO_LIQUIDITY$/],
  ['a rejection that was none', 'buy B1 1 @ 50\n rejects B1 MARKET_NOT_OPEN', /no rejection$/],
  ['a rejection of another kind', 'buy B1 1 @ market\n rejects B1 FORBIDDEN', /NO_LIQUIDITY$/],
  ['other shares', 'mint S1 5\n holds S1 6', /holds S1 5$/],
  ['another cost', 'mint S1 5\n holds S1 5 cost 2', /holds S1 5 cost 2.5$/],
  ['another profit', 'mint S1 5\n holds S1 5 cost 2.5 profit 1', /profit 0$/],
  ['a word that is none', 'bye B1 1 @ 50', /no line that can be read$/],
]

for (const [name, script, found] of falseScripts) {
  test(`a script fails on ${name}`, () => {
    assert.throws(() => check(script), found)
  })
}

test('a mirrored script exchanges the sides and counts prices from the other end', () => {
  const script = 'sell S1 30 @ 60.5\n buy B1 10 @ 70\n trade S1 B1 10 @ 60.5\n rests S1 20 @ 60.5'
  checkBothSides(script)
  assert.throws(() => checkBothSides(`${script}\n rests S1 1 @ 1`))
})
