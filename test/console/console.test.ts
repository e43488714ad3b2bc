// The console in a real browser, against a real service; all tests share both.

import { after, afterEach, before, suite, test } from 'node:test'
import { whyNoChromium } from '../support/process/chromium.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { spendAmount } from './amounts.ts'
import { showAuditLog, showAuditLogOfAll } from './audit.ts'
import { scrollBook, totalOutcomes } from './books.ts'
import { holdEvents, renderOncePerFrame } from './busy-feed.ts'
import { readCandles, readLines } from './charts.ts'
import { moveAndDrain, showOneProcess } from './cluster.ts'
import { haltAsAdministrator, haltTrading, showBrakesToOtherKeys } from './controls.ts'
import { downloadCsv } from './csv.ts'
import { showDeadMan } from './dead-man.ts'
import { explainKeysWithoutAccess, explainRejectedOrders, explainWrongKey } from './errors.ts'
import { setFeesOfMarket, setFeesOfOperator } from './fees.ts'
import { ConsoleFixture } from './fixture.ts'
import { detectLostUpdates, detectSilence, showStaleData } from './interruptions.ts'
import { previewOrder, runLifecycle, showEvents } from './lifecycle.ts'
import { keepWhatStays, limitPlayers } from './limits.ts'
import { changeTradingEnd } from './market-changes.ts'
import { actOnMarkets, administer, copyMarket, listMarkets } from './market-lists.ts'
import { showOrderGroups } from './order-groups.ts'
import { amendOrder, cancelAllOrders, placeWithOptions } from './orders.ts'
import { fitPhones, limitFirstLoad, passAxe } from './pages.ts'
import { haltPlayer } from './player-controls.ts'
import { showPlayers, showWhatASettlementPays } from './players.ts'
import { explainPriceBand, setPriceBand } from './price-bands.ts'
import { publishMarket } from './public-pages.ts'
import { acknowledgePayouts, manageCategories } from './records.ts'
import { offerOnlyWhatAKeyAllows, shapePagesByState, showOperatorAndKey } from './scopes.ts'
import { chartDays } from './statistics.ts'
import { placeOnce, refuseAmbiguousNumbers, tradeByKeyboard } from './ticket.ts'

type BrowserTest = (fixture: ConsoleFixture, report: (line: string) => void) => Promise<void>

const tests: Readonly<Record<string, BrowserTest>> = {
  'takes a market from draft to settled, and shows trades to a second browser': runLifecycle,
  'previews the effect and cost of an order on the ticket': previewOrder,
  'amends an open order in its row by keyboard, and shows a rejection there': amendOrder,
  'cancels all open orders of a player in a market after a confirmation': cancelAllOrders,
  'places an order with its options': placeWithOptions,
  'refuses numbers with two readings, and shows on the button what was read':
    refuseAmbiguousNumbers,
  'fills the ticket by keyboard, with steps and the largest number': tradeByKeyboard,
  'spends an amount at most, and shows what is left of it': spendAmount,
  'places an order once for a double click and for Enter held down': placeOnce,
  'scrolls the book, keeps its place, and groups it by ticks': scrollBook,
  'sums the best prices of all outcomes, and wraps long names': totalOutcomes,
  'reads out candles by pointer and keyboard, in five ranges': readCandles,
  'shows all outcomes as lines, and reads them out': readLines,
  'marks a payout as failed, retries it, and marks it as paid': acknowledgePayouts,
  'creates, edits and hides a category': manageCategories,
  'lists markets by order and filter of the address, and what needs attention': listMarkets,
  'opens and suspends several markets, and says which could not be': actOnMarkets,
  'copies a market, takes a pasted list of outcomes, and refuses an end in the past': copyMarket,
  'changes the end of trading of an open market, if the key may manage it': changeTradingEnd,
  'gives an operator a fee schedule, and takes it back': setFeesOfOperator,
  'gives a market a fee schedule until it opens, and previews its fees': setFeesOfMarket,
  'limits how far an order moves a price, until the market is resolved': setPriceBand,
  'explains what a price band did to an order and to a market': explainPriceBand,
  'publishes a market on a page that follows the prices': publishMarket,
  'shows the administrator markets, global categories and health': administer,
  'shows who has managed what, by filters in the address': showAuditLog,
  'shows the administrator the acts of all operators': showAuditLogOfAll,
  'charts the trades by day, of a chosen range and category': chartDays,
  'saves lists as CSV files, page by page, until their page is left': downloadCsv,
  'shows events as they happen, with their payloads': showEvents,
  'holds the list of events on a busy feed, and counts what waits': holdEvents,
  'renders a busy feed of 256 outcomes at most once a frame': renderOncePerFrame,
  'shows stale data while disconnected, and catches up afterwards': showStaleData,
  'detects a silent connection by the missing heartbeat': detectSilence,
  'detects a lost update by its version or by the next heartbeat': detectLostUpdates,
  'explains a wrong key and does not sign in': explainWrongKey,
  'explains a key without the scope read, and signs out a revoked one': explainKeysWithoutAccess,
  'explains rejected orders next to the ticket': explainRejectedOrders,
  'offers only what the scopes of the key allow': offerOnlyWhatAKeyAllows,
  'shows the operator and the key, and passes axe with a long label': showOperatorAndKey,
  'shows only what the state of a market and its owner allow': shapePagesByState,
  'has a page for every player, whatever its id is, that its name leads to': showPlayers,
  'shows what a settlement pays before a market is resolved or settled': showWhatASettlementPays,
  'halts trading with a typed word, says what it cancelled, and shows it on every page':
    haltTrading,
  'shows a brake to keys that may not change it': showBrakesToOtherKeys,
  'halts one player on its page': haltPlayer,
  'halts an operator or the whole exchange as administrator': haltAsAdministrator,
  'limits all players and one player, and shows how much they use': limitPlayers,
  'keeps the limits when a brake changes, and the brake when limits do': keepWhatStays,
  'shows dead-man switches with the time left, and disarms them': showDeadMan,
  'shows the order groups of a player, and triggers and resets one': showOrderGroups,
  'shows one process as a node that owns every shard': showOneProcess,
  'loads less than 150 KB at first, all of it from its own host': limitFirstLoad,
  'passes axe on every page, light and dark': passAxe,
  'has no page that is wider than the screen of a phone': fitPhones,
}

/** Enough for the longest test on a busy machine. */
const timeout = 300_000
const skip = whyNoChromium('the console in a browser')
const server = await postgresOrNot('the cluster in the console', quick)
after(() => server?.stop())

suite('the console', { skip }, () => {
  let fixture: ConsoleFixture | null = null
  before(async () => {
    fixture = await ConsoleFixture.open()
  })
  afterEach(() => fixture?.closePages())
  after(() => fixture?.close())
  if (server !== null) {
    test('moves a shard and drains a node after a confirmation', { timeout }, async () => {
      const { url } = await server.newDatabase()
      if (fixture !== null) await moveAndDrain(fixture, url)
    })
  }
  for (const [title, run] of Object.entries(tests)) {
    test(title, { timeout }, async (t) => {
      if (fixture !== null) await run(fixture, (line) => t.diagnostic(line))
    })
  }
})
