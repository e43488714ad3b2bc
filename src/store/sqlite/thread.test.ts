// A thread that ends by itself fails its calls and is told of.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Thread } from './thread.ts'

type Calls = { echo: (ask: number) => number }

/** A thread that runs this text whenever it is called. */
function threadThat(text: string) {
  const causes: Error[] = []
  const source = `
    const { parentPort } = require('node:worker_threads')
    parentPort.on('message', ({ number, ask }) => { ${text} })`
  const file = new URL(`data:text/javascript,${encodeURIComponent(toModule(source))}`)
  const thread = new Thread<Calls>(file, { data: null, onFatal: (cause) => causes.push(cause) })
  return { thread, causes }
}

function toModule(source: string): string {
  return `import { createRequire } from 'node:module'
    const require = createRequire('file:///')
    ${source}`
}

suite('a thread', () => {
  test('answers calls, each with its own answer', async () => {
    const { thread, causes } = threadThat('parentPort.postMessage({ number, answer: ask })')
    const answers = await Promise.all([1, 2, 3].map((ask) => thread.call('echo', ask)))
    assert.deepEqual(answers, [1, 2, 3])
    await thread.close()
    assert.equal(causes.length, 0)
    await assert.rejects(thread.call('echo', 4), { name: 'StoreUnavailable' })
  })

  for (const [how, text] of [
    ['throws', 'throw new Error("broken")'],
    ['exits', 'process.exit(0)'],
  ] as const) {
    test(`that ${how} fails all its calls and is told of once`, async () => {
      const { thread, causes } = threadThat(text)
      const calls = [1, 2].map((ask) =>
        assert.rejects(thread.call('echo', ask), { name: 'StoreUnavailable' }),
      )
      await Promise.all(calls)
      await assert.rejects(thread.call('echo', 3), { name: 'StoreUnavailable' })
      await thread.close()
      assert.equal(causes.length, 1)
    })
  }
})
