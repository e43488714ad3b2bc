// The thread that commits turns to PostgreSQL, with a defect: its writers take long to close.

import { setTimeout as delay } from 'node:timers/promises'
import { Writer } from '../../../src/store/postgres/writer.ts'
import '../../../src/store/postgres/writer-thread.ts'

const closeMs = 1_000
const { close } = Writer.prototype

Writer.prototype.close = async function () {
  await delay(closeMs)
  await close.call(this)
}
