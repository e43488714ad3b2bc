// The console in a real browser, against a real service. All of it shares one of each.

import { after, afterEach, suite, test } from 'node:test'
import { ChromiumMissing } from '../support/chromium.ts'
import { noticeLostUpdates, noticeSilence, surviveCut } from './breaks.ts'
import { liveWholeLife, showEvents } from './life.ts'
import { fitPhones, haveNoBarriers, loadLittle } from './pages.ts'
import { explainRefusedOrders, explainWeakKeys, explainWrongKey } from './refusals.ts'
import { Scene } from './scene.ts'

/** Of the longest one, on a machine that has much else to do. */
const testMs = 400_000

const scene = await Scene.open().catch((error: unknown) => {
  if (error instanceof ChromiumMissing) return error
  throw error
})

if (scene instanceof ChromiumMissing) {
  const why = `NOT RUN: ${scene.message}`
  process.stderr.write(`\nNOT RUN: the console in a browser: ${scene.message}\n\n`)
  suite('the console in a browser', { skip: why }, () => {})
} else {
  suite('the console in a browser', () => {
    afterEach(() => scene.closePages())
    after(() => scene.close())
    test(
      'a market lives from draft to settled, and two browsers see each other trade',
      { timeout: testMs },
      () => liveWholeLife(scene),
    )
    test(
      'the events of a market appear as they happen, with their payloads',
      { timeout: testMs },
      () => showEvents(scene),
    )
    test(
      'a cut line shows as stale; once mended, what was missed is there',
      { timeout: testMs },
      () => surviveCut(scene),
    )
    test('a line that falls silent is noticed by its missing heartbeat', { timeout: testMs }, () =>
      noticeSilence(scene),
    )
    test(
      'an update that is lost is noticed by its version, or by the next heartbeat',
      { timeout: testMs },
      () => noticeLostUpdates(scene),
    )
    test('a wrong key is explained, and nobody is signed in by it', { timeout: testMs }, () =>
      explainWrongKey(scene),
    )
    test(
      'a key that may not read is told so; a revoked one leads back to signing in',
      { timeout: testMs },
      () => explainWeakKeys(scene),
    )
    test('orders that are refused say why, beside the ticket', { timeout: testMs }, () =>
      explainRefusedOrders(scene),
    )
    test(
      'the first load is under 200 KB, and nothing is asked of another host',
      { timeout: testMs },
      () => loadLittle(scene),
    )
    test('axe finds no barrier on any page, light or dark', { timeout: testMs }, () =>
      haveNoBarriers(scene),
    )
    test('on a phone no page is wider than the screen', { timeout: testMs }, () => fitPhones(scene))
  })
}
