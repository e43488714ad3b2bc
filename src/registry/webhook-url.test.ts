// URLs that webhooks may have: hostile forms of addresses and names, and valid ones.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hostileHosts } from '../../test/support/webhooks/hostile-hosts.ts'
import { checkWebhookUrl, isPublicAddress, isPublicHost } from './webhook-url.ts'

const secure = { allowInsecure: false }
const insecure = { allowInsecure: true }

describe('a webhook must not connect to', () => {
  for (const [place, hosts] of Object.entries(hostileHosts)) {
    test(place, () => {
      for (const host of hosts) {
        for (const url of [`https://${host}/hook`, `https://${host}:8443`]) {
          const fault = checkWebhookUrl(url, secure)
          assert.equal(fault?.code, 'VALIDATION_ERROR', `${url} was accepted`)
          assert.match(fault.message, /^url: .*public internet/, `${url}: ${fault.message}`)
        }
      }
    })
  }

  test('any of at least 60 hostile forms', () => {
    assert.ok(Object.values(hostileHosts).flat().length >= 60)
  })
})

describe('a webhook may connect to', () => {
  const hosts = [
    ...[
      'example.com',
      'hooks.example.com.',
      'EXAMPLE.com',
      'a-b.co.uk',
      'xn--bcher-kva.example.org',
    ],
    ...['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '11.0.0.1'],
    ...[
      '169.253.0.1',
      '192.167.0.1',
      '223.255.255.255',
      '[2606:4700:4700::1111]',
      '[2a00:1450::1]',
    ],
    ...['svc.example.com', 'consul.io', 'docker.com', 'mysvc.example.org'],
    ...['localhost.example.com', 'internal.example.com', 'notlocalhost.com', 'mylocal.io'],
  ]
  for (const host of hosts) {
    test(host, () => {
      assert.equal(checkWebhookUrl(`https://${host}/hook?a=1#b`, secure), null)
    })
  }
})

describe('the URL of a webhook', () => {
  const wrong: readonly (readonly [url: string, message: RegExp])[] = [
    ['', /characters/],
    ['hook', /absolute URL/],
    ['//example.com/hook', /absolute URL/],
    ['https://', /absolute URL/],
    ['https://exa mple.com/', /characters/],
    ['https://example.com/\n', /characters/],
    ['https:\\\\example.com\\', /characters/],
    ['https://example.com\\@127.0.0.1/', /characters/],
    ['https://１２７.０.０.１/', /characters/],
    ['https://①②⑦.0.0.1/', /characters/],
    ['https://example。com/', /characters/],
    ['https://[::1%25lo]/', /absolute URL/],
    ['https://256.1.1.1/', /absolute URL/],
    ['https://1.2.3.4.5/', /absolute URL/],
    ['https://example.com:99999/', /absolute URL/],
    ['http://example.com/', /must use https/],
    ['ftp://example.com/', /must use https/],
    ['javascript:alert(1)', /must use https|absolute URL/],
    ['file:///etc/passwd', /must use https|absolute URL/],
    ['https://user@example.com/', /user name or a password/],
    ['https://user:word@example.com/', /user name or a password/],
    ['https://:word@example.com/', /user name or a password/],
    ['https://example.com@127.0.0.1/', /user name or a password/],
    [`https://example.com/${'a'.repeat(2_029)}`, /must have at most 2048 characters, got 2049/],
  ]
  for (const [url, message] of wrong) {
    test(`is rejected: ${JSON.stringify(url.slice(0, 50))}`, () => {
      assert.match(checkWebhookUrl(url, secure)?.message ?? 'accepted', message)
    })
  }

  test('must not have the port of another protocol', () => {
    const ports = [1, 21, 22, 23, 25, 53, 79, 81, 110, 143, 389, 442, 444, 445, 587, 993, 1_023]
    ports.push(2_375, 2_379, 3_306, 5_432, 6_000, 6_379, 9_200, 10_250, 11_211, 27_017)
    for (const port of ports) {
      const fault = checkWebhookUrl(`https://example.com:${port}/hook`, secure)
      assert.match(
        fault?.message ?? 'accepted',
        /^url: must have a port of a web server \(80, 443,/,
      )
      assert.match(fault?.message ?? '', new RegExp(`, got ${port}$`))
      assert.equal(checkWebhookUrl(`https://example.com:${port}/hook`, insecure), null)
    }
    assert.notEqual(checkWebhookUrl('https://example.com:0/', secure), null)
  })

  test('may have a port of a web server', () => {
    for (const port of ['', ':', ':443', ':80', ':1024', ':3000', ':8000', ':8080', ':8443']) {
      assert.equal(checkWebhookUrl(`https://example.com${port}/hook`, secure), null, port)
    }
    for (const port of [9_000, 9_443, 32_768, 65_535]) {
      assert.equal(checkWebhookUrl(`https://example.com:${port}/`, secure), null, `${port}`)
    }
  })

  test('may have the maximum length', () => {
    assert.equal(checkWebhookUrl(`https://example.com/${'a'.repeat(2_028)}`, secure), null)
  })

  test('may use http and private hosts if that is allowed, and nothing else', () => {
    for (const url of ['http://127.0.0.1:9000/hook', 'https://localhost/', 'http://receiver/']) {
      assert.equal(checkWebhookUrl(url, insecure), null)
    }
    for (const url of ['ftp://127.0.0.1/', 'http://user@127.0.0.1/', 'hook', 'http://a b/']) {
      assert.notEqual(checkWebhookUrl(url, insecure), null, url)
    }
  })
})

describe('an address that a name resolved to', () => {
  test('is public or not, in all of its spellings', () => {
    assert.ok(isPublicAddress('93.184.216.34'))
    assert.ok(isPublicAddress('2606:2800:220:1:248:1893:25c8:1946'))
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:8.8.8.8',
      '::ffff:10.0.0.1',
      'fe80::1%eth0',
    ]) {
      assert.ok(!isPublicAddress(address), address)
    }
    assert.ok(!isPublicAddress('2606:4700:4700::1111%eth0'), 'with a zone')
  })

  test('is not public if it is not an address', () => {
    for (const text of ['', 'example.com', '2130706433', '0x7f.1', '127.1', '[::1]', ' 8.8.8.8']) {
      assert.ok(!isPublicAddress(text), text)
    }
  })

  test('at the edge of a private network differs from its public neighbour', () => {
    const edges: readonly (readonly [inside: string, outside: string])[] = [
      ['0.255.255.255', '1.0.0.0'],
      ['10.0.0.0', '9.255.255.255'],
      ['10.255.255.255', '11.0.0.0'],
      ['100.64.0.0', '100.63.255.255'],
      ['100.127.255.255', '100.128.0.0'],
      ['127.0.0.0', '126.255.255.255'],
      ['127.255.255.255', '128.0.0.0'],
      ['169.254.0.0', '169.253.255.255'],
      ['169.254.255.255', '169.255.0.0'],
      ['172.16.0.0', '172.15.255.255'],
      ['172.31.255.255', '172.32.0.0'],
      ['192.168.0.0', '192.167.255.255'],
      ['192.168.255.255', '192.169.0.0'],
      ['198.18.0.0', '198.17.255.255'],
      ['198.19.255.255', '198.20.0.0'],
      ['224.0.0.0', '223.255.255.255'],
      ['168.63.129.16', '168.63.129.17'],
      ['2001:1ff:ffff::', '2001:200::'],
      ['2002:ffff::', '2003::'],
      ['4000::', '3ffd::'],
    ]
    for (const [inside, outside] of edges) {
      assert.ok(!isPublicAddress(inside), inside)
      assert.ok(isPublicAddress(outside), outside)
    }
  })
})

test('a host that is only dots or empty is not public', () => {
  for (const host of ['', '.', '..', 'a.', '.a', 'a..b', '[]']) assert.ok(!isPublicHost(host), host)
})
