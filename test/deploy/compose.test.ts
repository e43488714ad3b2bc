// The compose file gives the service settings that it has, from variables that are documented.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig, settings } from '../../src/config.ts'

const read = (name: string) =>
  readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')
const compose = read('compose.yaml')

/** The environment of the service, as compose would fill it in. */
function environment(): Readonly<Record<string, string>> {
  const [, block = ''] = /^ {4}environment:\n((?: {6}.+\n)+)/m.exec(compose) ?? []
  const lines = [...block.matchAll(/^ {6}(\w+): (.+)$/gm)]
  const filled = (text: string) =>
    text.replace(/^'(.*)'$/, '$1').replace(/\$\{\w+:\?[^}]*\}/g, '0123456789abcdef'.repeat(4))
  return Object.fromEntries(lines.map(([, name = '', text = '']) => [name, filled(text)]))
}

test('the settings of the service exist and are valid', () => {
  const known = new Set(settings.map(({ name }) => name))
  const env = environment()
  assert.ok(Object.keys(env).length >= 7, JSON.stringify(env))
  assert.deepEqual(
    Object.keys(env).filter((name) => !known.has(name)),
    [],
  )
  const { databaseUrl, metricsPort, trustedProxies } = readConfig(env)
  assert.match(databaseUrl ?? '', /@postgres:5432\/outcry$/)
  assert.ok(compose.includes(`127.0.0.1:${metricsPort}:${metricsPort}`))
  // The address of the proxy, which the file gives it.
  assert.ok(compose.includes(`ipv4_address: ${trustedProxies[0]?.address} }`))
})

test('every variable that must be set is in .env.example', () => {
  const needed = new Set([...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name))
  const offered = [...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  assert.deepEqual([...needed].toSorted(), offered.toSorted())
})
