// Where webhooks may lead: hostile forms of addresses and names, and good ones.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPublicAddress, isPublicHost, webhookUrlFault } from './webhook-url.ts'

const secure = { allowInsecure: false }
const insecure = { allowInsecure: true }

/** Each has the shape of a host in a URL. */
const hostileHosts: Readonly<Record<string, readonly string[]>> = {
  'this machine': [
    ...[
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '127.255.255.254',
      '127.0.0.1.',
      '0',
      '0.0.0.0',
      '0.1.2.3',
    ],
    ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.localhost.', 'localhost..'],
    ...['localhost.localdomain', '%6c%6f%63alhost', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]'],
  ],
  'another spelling of this machine': [
    ...['2130706433', '0x7f000001', '0x7f.1', '0x7F.0x0.0x0.0x1', '017700000001', '0177.0.0.1'],
    ...['0177.0.0.01', '127.0x1', '127.0.0.0x1', '00000177.1', '0x7f.0.0.1.', '%31%32%37.0.0.1'],
  ],
  'a private network': [
    ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1', '10.1'],
    ...['100.64.0.1', '100.127.255.255', '0xc0a80101', '3232235777', '[fc00::1]', '[fd12:3456::1]'],
    ...[
      '[fec0::1]',
      'db',
      'redis',
      'printer.local',
      'db.internal',
      'a.lan',
      'nas.home.arpa',
      'a.corp',
    ],
  ],
  'the metadata of a cloud': [
    ...['169.254.169.254', '169.254.170.2', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376'],
    ...['100.100.100.200', '192.0.0.192', '168.63.129.16', '[fd00:ec2::254]', '[fe80::a9fe:a9fe]'],
    ...['metadata', 'metadata.google.internal', 'metadata.google.internal.', 'instance-data'],
  ],
  'IPv4 inside IPv6': [
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::FFFF:169.254.169.254]'],
    ...['[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]'],
    ...['[64:ff9b::127.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b:1::10.0.0.1]', '[2002:7f00:1::]'],
    ...['[2002:a9fe:a9fe::1]', '[2002:c0a8:101::]', '[2001:0:7f00:1::]', '[2001::a00:1]'],
  ],
  'an address that nobody has': [
    ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255', '192.88.99.1'],
    ...[
      '224.0.0.1',
      '239.255.255.255',
      '240.0.0.1',
      '255.255.255.255',
      '[ff02::1]',
      '[2001:db8::1]',
    ],
    ...['[3fff::1]', '[100::1]', '[fe80::1]', '[4000::1]', '[5f00::1]', '[2001:20::1]'],
  ],
}

describe('a webhook may not lead to', () => {
  for (const [place, hosts] of Object.entries(hostileHosts)) {
    test(place, () => {
      for (const host of hosts) {
        for (const url of [`https://${host}/hook`, `https://${host}:8443`]) {
          const fault = webhookUrlFault(url, secure)
          assert.equal(fault?.code, 'VALIDATION_ERROR', `${url} was taken`)
          assert.match(fault.message, /^url: .*public internet/, `${url}: ${fault.message}`)
        }
      }
    })
  }

  test('any of at least 60 hostile forms', () => {
    assert.ok(Object.values(hostileHosts).flat().length >= 60)
  })
})

describe('a webhook may lead to', () => {
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
    ...['localhost.example.com', 'internal.example.com', 'notlocalhost.com', 'mylocal.io'],
  ]
  for (const host of hosts) {
    test(host, () => {
      assert.equal(webhookUrlFault(`https://${host}/hook?a=1#b`, secure), null)
    })
  }
})

describe('the URL of a webhook', () => {
  const wrong: readonly (readonly [url: string, message: RegExp])[] = [
    ['', /characters/],
    ['hook', /not a URL/],
    ['//example.com/hook', /not a URL/],
    ['https://', /not a URL/],
    ['https://exa mple.com/', /characters/],
    ['https://example.com/\n', /characters/],
    ['https:\\\\example.com\\', /characters/],
    ['https://example.com\\@127.0.0.1/', /characters/],
    ['https://１２７.０.０.１/', /characters/],
    ['https://①②⑦.0.0.1/', /characters/],
    ['https://example。com/', /characters/],
    ['https://[::1%25lo]/', /not a URL/],
    ['https://256.1.1.1/', /not a URL/],
    ['https://1.2.3.4.5/', /not a URL/],
    ['https://example.com:99999/', /not a URL/],
    ['http://example.com/', /not https/],
    ['ftp://example.com/', /not https/],
    ['javascript:alert(1)', /not https|not a URL/],
    ['file:///etc/passwd', /not https|not a URL/],
    ['https://user@example.com/', /user name or a password/],
    ['https://user:word@example.com/', /user name or a password/],
    ['https://:word@example.com/', /user name or a password/],
    ['https://example.com@127.0.0.1/', /user name or a password/],
    [`https://example.com/${'a'.repeat(2_029)}`, /2049 characters are more than 2048/],
  ]
  for (const [url, message] of wrong) {
    test(`is refused: ${JSON.stringify(url.slice(0, 50))}`, () => {
      assert.match(webhookUrlFault(url, secure)?.message ?? 'taken', message)
    })
  }

  test('may be as long as the most', () => {
    assert.equal(webhookUrlFault(`https://example.com/${'a'.repeat(2_028)}`, secure), null)
  })

  test('may be plain http and private where that was allowed, and nothing else', () => {
    for (const url of ['http://127.0.0.1:9000/hook', 'https://localhost/', 'http://receiver/']) {
      assert.equal(webhookUrlFault(url, insecure), null)
    }
    for (const url of ['ftp://127.0.0.1/', 'http://user@127.0.0.1/', 'hook', 'http://a b/']) {
      assert.notEqual(webhookUrlFault(url, insecure), null, url)
    }
  })
})

describe('an address that a name resolved to', () => {
  test('is public or not, in any of its spellings', () => {
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

  test('is none where it is no address', () => {
    for (const text of ['', 'example.com', '2130706433', '0x7f.1', '127.1', '[::1]', ' 8.8.8.8']) {
      assert.ok(!isPublicAddress(text), text)
    }
  })

  test('at the edges of every private net is told from its public neighbour', () => {
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
