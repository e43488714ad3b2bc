// A thread that ends unexpectedly fails its calls and reports it.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { Thread } from './thread.ts'

type Calls = { echo: (value: number) => number }

/** A thread that runs this text whenever it is called. */
function threadThat(text: string) {
  const causes: Error[] = []
  const source = `
    const { parentPort } = require('node:worker_threads')
    parentPort.on('message', ({ number, argument }) => { ${text} })`
  const file = new URL(`data:text/javascript,${encodeURIComponent(toModule(source))}`)
  const onFatal = (cause: Error) => causes.push(cause)
  const thread = new Thread<Calls>(file, { name: 'writer', data: null, onFatal })
  return { thread, causes }
}

function toModule(source: string): string {
  return `import { createRequire } from 'node:module'
    const require = createRequire('file:///')
    ${source}`
}

suite('a thread', () => {
  test('whose answer cannot be sent fails that call only', async () => {
    const causes: Error[] = []
    const file = new URL('../../test/support/store/echo-thread.ts', import.meta.url)
    const onFatal = (cause: Error) => causes.push(cause)
    const thread = new Thread<Calls & { unsendable: (value: null) => unknown }>(file, {
      name: 'writer',
      data: null,
      onFatal,
    })
    await assert.rejects(thread.call('unsendable', null), /could not be cloned/)
    assert.equal(await thread.call('echo', 1), 1)
    assert.deepEqual(causes, [])
    await thread.close()
  })

  test('answers each call with its own answer', async () => {
    const { thread, causes } = threadThat('parentPort.postMessage({ number, answer: argument })')
    const answers = await Promise.all([1, 2, 3].map((value) => thread.call('echo', value)))
    assert.deepEqual(answers, [1, 2, 3])
    await thread.close()
    assert.equal(causes.length, 0)
    await assert.rejects(thread.call('echo', 4), { name: 'StoreUnavailable' })
  })

  test('that is closed fails the calls that it has not answered', async () => {
    const closes = 'if (argument === null) parentPort.postMessage({ number, answer: null })'
    const { thread, causes } = threadThat(closes)
    const refused = assert.rejects(thread.call('echo', 1), { name: 'StoreUnavailable' })
    await thread.close()
    await refused
    assert.deepEqual(causes, [])
  })

  const skip = process.platform !== 'linux' && 'only Linux shows the names of threads in files'
  test('has the name that the system shows', { skip }, async () => {
    const { thread } = threadThat('parentPort.postMessage({ number, answer: argument })')
    await thread.call('echo', 1)
    const names = readdirSync('/proc/self/task').map((id) =>
      readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim(),
    )
    await thread.close()
    assert.ok(names.includes('writer'), names.join())
  })

  for (const [how, text] of [
    ['throws', 'throw new Error("broken")'],
    ['exits', 'process.exit(0)'],
  ] as const) {
    test(`that ${how} fails all of its calls and reports it once`, async () => {
      const { thread, causes } = threadThat(text)
      const calls = [1, 2].map((value) =>
        assert.rejects(thread.call('echo', value), { name: 'StoreUnavailable' }),
      )
      await Promise.all(calls)
      await assert.rejects(thread.call('echo', 3), { name: 'StoreUnavailable' })
      await thread.close()
      assert.equal(causes.length, 1)
    })
  }
})
