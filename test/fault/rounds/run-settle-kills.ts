// A settlement that is killed many times half-way, by hand.

import { rm } from 'node:fs/promises'
import { auditFolder } from '../../../src/store/sqlite/audit/audit.ts'
import { readOptions, wholeNumber } from '../../support/process/options.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { ask, askAndDie, endOf, listed, resumeAndDie } from '../support/interrupted-jobs.ts'
import { addCrowd } from '../support/populate-market.ts'
import { started } from '../support/service-options.ts'
import { openMarket } from '../support/trading-fixture.ts'

/** A turn of a settlement takes no more orders and positions than those of so many players. */
const playersPerKill = 1_000
const finishMax = 120_000

const usage = `
Usage: npm run settle-kills [-- --times 20]
Kills one settlement half-way, as often as --times says, and looks for who was paid twice or not at
all. Ends with 1 where something was found.
`
const { values } = readOptions({ usage, options: { times: { type: 'string', default: '20' } } })
const times = wholeNumber('--times', values.times)
const folder = await newFolder()
try {
  const players = times * playersPerKill
  console.log(`${players} players ...`)
  const first = await Service.start({ dataDir: folder, ...started() })
  const trader = { name: 'house', ...(await first.newOperator()) }
  const market = await openMarket(first, trader)
  await first.stop()
  const crowd = await addCrowd(folder, trader, { market, players })
  await askAndDie(folder, 4, async (service) => {
    const payouts = market.outcomeIds.map((outcomeId) => ({ outcomeId, payoutPerShare: 0.5 }))
    await ask(service, trader, market, 'close')
    await ask(service, trader, market, 'resolve', { payouts, resolutionSource: 'the sky' })
    await ask(service, trader, market, 'settle')
  })
  let kills = 1
  for (; kills < times; kills += 1) {
    await resumeAndDie(folder, [0.5, 1, 1.5][kills % 3]!)
    process.stdout.write(`\r${kills + 1} kills `)
  }
  const last = await Service.start({ dataDir: folder, ...started() })
  try {
    const status = await endOf(last, trader, market, finishMax)
    const settlements = await listed(last, trader, 'settlements')
    const { violations } = await auditFolder(folder)
    const paid = settlements.reduce((sum, { totalPayout }) => sum + Number(totalPayout), 0)
    const positions = new Set(settlements.map(({ positionId }) => positionId)).size
    console.log(`\n${status}: ${settlements.length} settlements of ${positions} positions`)
    console.log(`${paid} paid for ${crowd.sets} sets; ${violations.length} violations`)
    const isRight =
      status === 'SETTLED' &&
      settlements.length === crowd.positions &&
      positions === crowd.positions &&
      paid === crowd.sets &&
      violations.length === 0
    if (!isRight) process.exitCode = 1
  } finally {
    await last.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
