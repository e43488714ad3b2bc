// Command line: kills the service many times during one settlement.

import { rm } from 'node:fs/promises'
import { auditFolder } from '../../../src/store/sqlite/audit/audit.ts'
import { positiveNumber, readOptions } from '../../support/process/options.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import {
  finalStatus,
  killDuring,
  killDuringResume,
  listed,
  marketAction,
} from '../support/interrupted-jobs.ts'
import { populateMarket } from '../support/populate-market.ts'
import { serviceOptions } from '../support/process-options.ts'
import { openMarket } from '../support/trading-fixture.ts'

/** Enough players that the settlement is not finished by the last kill. */
const playersPerKill = 1_000
const finishMax = 120_000

const usage = `
Usage: npm run settle-kills [-- --times 20]
Kills the service --times times during one settlement, and checks that each position is paid once.
Exits with 1 if a violation was found.
`
const { values } = readOptions({ usage, options: { times: { type: 'string', default: '20' } } })
const times = positiveNumber('--times', values.times)
const folder = await newFolder()
try {
  const players = times * playersPerKill
  console.log(`${players} players ...`)
  const first = await Service.start({ dataDir: folder, ...serviceOptions() })
  const trader = { name: 'operator', ...(await first.newOperator()) }
  const market = await openMarket(first, trader)
  await first.stop()
  const population = await populateMarket(folder, trader, { market, players })
  await killDuring(folder, 4, async (service) => {
    const payouts = market.outcomeIds.map((outcomeId) => ({ outcomeId, payoutPerShare: 0.5 }))
    await marketAction(service, trader, market, 'close')
    await marketAction(service, trader, market, 'resolve', { payouts, resolutionSource: 'the sky' })
    await marketAction(service, trader, market, 'settle')
  })
  let kills = 1
  for (; kills < times; kills += 1) {
    await killDuringResume(folder, [0.5, 1, 1.5][kills % 3]!)
    process.stdout.write(`\r${kills + 1} kills `)
  }
  const last = await Service.start({ dataDir: folder, ...serviceOptions() })
  try {
    const status = await finalStatus(last, trader, market, finishMax)
    const settlements = await listed(last, trader, 'settlements')
    const { violations } = await auditFolder(folder)
    const paid = settlements.reduce((sum, { totalPayout }) => sum + Number(totalPayout), 0)
    const positions = new Set(settlements.map(({ positionId }) => positionId)).size
    console.log(`\n${status}: ${settlements.length} settlements of ${positions} positions`)
    console.log(`${paid} paid for ${population.sets} sets; ${violations.length} violations`)
    const isRight =
      status === 'SETTLED' &&
      settlements.length === population.positions &&
      positions === population.positions &&
      paid === population.sets &&
      violations.length === 0
    if (!isRight) process.exitCode = 1
  } finally {
    await last.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
