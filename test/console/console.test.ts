// The console in a real browser, against a real service. All of it shares one of each.

import { after, afterEach, before, suite, test } from 'node:test'
import { whyNoChromium } from '../support/process/chromium.ts'
import { noticeLostUpdates, noticeSilence, surviveCut } from './breaks.ts'
import { liveWholeLife, previewOrder, showEvents } from './life.ts'
import { amendInPlace, cancelMany, placeWithOptions } from './orders.ts'
import { fitPhones, haveNoBarriers, loadLittle } from './pages.ts'
import { acknowledgePayouts, groupMarkets } from './records.ts'
import { explainRefusedOrders, explainWeakKeys, explainWrongKey } from './refusals.ts'
import { Scene } from './scene.ts'

type Proof = (scene: Scene) => Promise<void>

const proofs: Readonly<Record<string, Proof>> = {
  'a market lives from draft to settled, and two browsers see each other trade': liveWholeLife,
  'a ticket shows what an order would do and cost before it is sent': previewOrder,
  'an open order is amended in its place by keys alone, and a refusal is said there': amendInPlace,
  'all open orders of a player in a market are cancelled, after a question': cancelMany,
  'an order is placed with its options': placeWithOptions,
  'a payout that failed is noted, taken back, and acknowledged as paid': acknowledgePayouts,
  'a category is created, edited and hidden': groupMarkets,
  'the events of a market appear as they happen, with their payloads': showEvents,
  'a cut line shows as stale; once mended, what was missed is there': surviveCut,
  'a line that falls silent is noticed by its missing heartbeat': noticeSilence,
  'an update that is lost is noticed by its version, or by the next heartbeat': noticeLostUpdates,
  'a wrong key is explained, and nobody is signed in by it': explainWrongKey,
  'a key that may not read is told so; a revoked one leads back to signing in': explainWeakKeys,
  'orders that are refused say why, beside the ticket': explainRefusedOrders,
  'the first load is under 200 KB, and nothing is asked of another host': loadLittle,
  'axe finds no barrier on any page, light or dark': haveNoBarriers,
  'on a phone no page is wider than the screen': fitPhones,
}

/** Of the longest one, on a machine that has much else to do. */
const timeout = 300_000
const skip = whyNoChromium('the console in a browser')

suite('the console in a browser', { skip }, () => {
  let scene: Scene | null = null
  before(async () => {
    scene = await Scene.open()
  })
  afterEach(() => scene?.closePages())
  after(() => scene?.close())
  for (const [title, prove] of Object.entries(proofs)) {
    test(title, { timeout }, async () => {
      if (scene !== null) await prove(scene)
    })
  }
})
