// Documents that need no key, each of which costs the service much more than a request.

import type { Attack } from './support/attack.ts'

const paths = ['/metrics', '/openapi.json', '/asyncapi.json', '/docs', '/console']

export const publicDocuments: Attack = {
  name: 'public-documents',
  expected: '200',
  prepare: async ({ anonymous, repeat }) => {
    return () => {
      repeat(500, (number) => anonymous.call('GET', paths[number % paths.length]!))
    }
  },
}
