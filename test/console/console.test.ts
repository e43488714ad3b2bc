// The console in a real browser, against a real service. All of it shares one of each.

import { after, afterEach, before, suite } from 'node:test'
import { ChromiumMissing } from '../support/chromium.ts'
import { addBreaks } from './breaks.ts'
import { addLife } from './life.ts'
import { addPages } from './pages.ts'
import { addRefusals } from './refusals.ts'
import { Scene } from './scene.ts'

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
    before(() => {
      scene.complaints.length = 0
    })
    afterEach(() => scene.closePages())
    after(() => scene.close())
    addLife(() => scene)
    addBreaks(() => scene)
    addRefusals(() => scene)
    addPages(() => scene)
  })
}
