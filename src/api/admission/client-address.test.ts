// The address of a client behind proxies: who is believed, and what clients cannot forge.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressBlockIn } from '../../address-blocks.ts'
import { ClientAddresses, type ForwardingHeaders } from './client-address.ts'

const trusted = ['10.0.0.0/8', '192.168.1.1', 'fd00::/8', '::1']
const addresses = new ClientAddresses(trusted.map((text) => addressBlockIn(text)!))

const proxy = '10.0.0.1'
const client = '203.0.113.7'
const list = (text: string) => ({ 'x-forwarded-for': text })
const standard = (text: string) => ({ forwarded: text })

function expectAll(
  rows: readonly (readonly [headers: ForwardingHeaders, address: string])[],
  peer = proxy,
): void {
  for (const [headers, address] of rows) {
    assert.equal(addresses.of(peer, headers), address, JSON.stringify(headers).slice(0, 200))
  }
}

test('without trusted proxies, the address of the connection counts', () => {
  const none = new ClientAddresses([])
  const headers = { ...list(client), ...standard(`for=${client}`) }
  for (const peer of [proxy, '127.0.0.1', '::1']) assert.equal(none.of(peer, headers), peer)
})

test('a connection that is not from a trusted proxy is not believed', () => {
  const headers = { ...list(client), ...standard(`for=${client}`) }
  for (const peer of ['11.0.0.1', '192.168.1.2', '::2', '2001:db8::1']) {
    assert.equal(addresses.of(peer, headers), peer)
  }
  assert.equal(addresses.of(undefined, headers), '')
})

test('a trusted proxy that names no client counts itself', () => {
  expectAll([
    [{}, proxy],
    [list(''), proxy],
    [standard(''), proxy],
    [standard('proto=https;by=10.0.0.9'), proxy],
  ])
})

test('in a chain of proxies, the rightmost address that is not trusted counts', () => {
  expectAll([
    [list(client), client],
    [list(`1.1.1.1, ${client}`), client],
    [list(`1.1.1.1, ${client}, 10.0.0.2,192.168.1.1`), client],
    [list(`1.1.1.1,\t ${client} ,  10.9.9.9`), client],
    [list('10.0.0.3, 10.0.0.2'), '10.0.0.3'],
    [standard(`for=1.1.1.1, for=${client};proto=https, for=10.0.0.2`), client],
    [standard(`For=${client};by=10.0.0.1, host=x;FOR="192.168.1.1:80"`), client],
  ])
})

test('header values of several lines are one chain', () => {
  assert.equal(addresses.of(proxy, { 'x-forwarded-for': ['1.1.1.1', client, '10.0.0.2'] }), client)
})

test('ports, brackets, zones and other spellings do not change an address', () => {
  expectAll([
    [list(`${client}:51234`), client],
    [list('2001:DB8:0:0::1'), '2001:db8::1'],
    [list('[2001:db8::1]'), '2001:db8::1'],
    [list('[2001:db8::1]:443'), '2001:db8::1'],
    [list('fe80::1%eth0'), 'fe80::1'],
    [list(`::ffff:${client}`), client],
    [list('::ffff:cb00:7107'), client],
    [list(`${client}, ::ffff:10.0.0.2`), client],
    [list(`${client}, fd00::2, [fd12::2]:80`), client],
    [standard(`for="${client}:51234"`), client],
    [standard(`for=${client}:51234`), client],
    [standard('for="[2001:db8:0::1]"'), '2001:db8::1'],
    [standard('for="[2001:db8::1]:_port";proto=http'), '2001:db8::1'],
  ])
})

test('a proxy that is connected over IPv6 is recognised in each spelling', () => {
  for (const peer of ['::ffff:10.0.0.1', '::1', '0:0:0:0:0:0:0:1', 'fd00::1%eth0']) {
    assert.equal(addresses.of(peer, list(client)), client)
  }
  assert.equal(addresses.of('::ffff:11.0.0.1', list(client)), '11.0.0.1')
})

test('an entry that is no address ends the chain at the last trusted proxy', () => {
  const garbage = ['unknown', '_hidden', 'x', '1.2.3', '1.2.3.4.5', '1.2.3.256', '01.2.3.4', '[::1']
  const more = ['::g', '1.1.1.1/8', "' OR 1", '<script>', '\u00ff', '%00', '1.1.1.1 2.2.2.2', '::%']
  for (const entry of [...garbage, ...more, '']) {
    expectAll([
      [list(entry), proxy],
      [list(`${client}, ${entry}`), proxy],
      [list(`${client}, ${entry}, 10.0.0.2`), '10.0.0.2'],
      [standard(`for=${client}, for="${entry}"`), proxy],
      [standard(`for=${client}, for="${entry}", for=10.0.0.2`), '10.0.0.2'],
    ])
  }
})

describe('an element of Forwarded', () => {
  test('may quote commas, semicolons and escaped quotes', () => {
    expectAll([
      [standard(`for=${client};host="a, for=1.1.1.1;b=\\"c"`), client],
      [standard(`host="a\\", for=1.1.1.1;x=\\"";for="${client}"`), client],
      [standard(`for="\\2\\03.0.113.7"`), client],
    ])
  })

  test('is not hidden by a quote that the client has left open', () => {
    expectAll([
      [standard(`for="1.1.1.1, for=${client}`), client],
      [standard(`for="1.1.1.1, for="[2001:db8::1]:80"`), '2001:db8::1'],
    ])
  })

  test('that is malformed ends the chain', () => {
    const elements = ['for', 'for=', 'for=1.1.1.1;for=2.2.2.2', 'for="1.1.1.1', 'for=1.1.1.1"', ';']
    for (const element of [...elements, 'for =1.1.1.1', 'for=1.1.1.1;;', 'for=1.1.1.1 by=x']) {
      expectAll([[standard(`for=2.2.2.2,${element}`), proxy]])
    }
  })
})

test('two headers that contradict each other are both not believed', () => {
  const both = { ...list(client), ...standard('for=1.1.1.1') }
  expectAll([
    [both, proxy],
    [{ ...list(client), ...standard(`for=${client}`) }, client],
  ])
})

test('a chain is followed over 16 proxies', () => {
  const hops = (count: number) => Array.from({ length: count }, (_, at) => `10.0.1.${at}`)
  expectAll([
    [list([client, ...hops(15)].join(', ')), client],
    [list([client, ...hops(16)].join(', ')), '10.0.1.0'],
    [standard([client, ...hops(16)].map((each) => `for=${each}`).join(',')), '10.0.1.0'],
  ])
})

test('long headers take no longer than short ones', () => {
  const size = 1_000_000
  const long = [
    list('1'.repeat(size)),
    list(','.repeat(size)),
    list('10.0.0.2,'.repeat(size / 10)),
    list(`${' '.repeat(size)}${client}`),
    list(`${':'.repeat(size)},10.0.0.2`),
    standard('"'.repeat(size)),
    standard('\\'.repeat(size)),
    standard(`for="${'\\"'.repeat(size)}"`),
    standard('for=10.0.0.2;a=b,'.repeat(size / 20)),
    standard(`for=1.1.1.1${';a=b'.repeat(size / 4)}`),
  ]
  for (const headers of long) {
    const before = performance.now()
    for (let round = 0; round < 100; round += 1) addresses.of(proxy, headers)
    const elapsedMs = performance.now() - before
    assert.ok(elapsedMs < 500, `${elapsedMs} ms for ${JSON.stringify(headers).slice(0, 60)}`)
  }
  expectAll([[list(`${'x'.repeat(10_000)}, ${client}`), client]])
})
