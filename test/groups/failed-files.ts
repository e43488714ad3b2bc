// A reporter for the test runner of Node: the path of the file of each failed test, one a line.

import type { TestEvent } from 'node:test/reporters'

export default async function* failedFiles(source: AsyncIterable<TestEvent>) {
  for await (const event of source) {
    if (event.type !== 'test:fail' || event.data.todo) continue
    yield `${event.data.file ?? event.data.name}\n`
  }
}
