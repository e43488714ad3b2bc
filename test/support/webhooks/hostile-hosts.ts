// Hosts that webhooks must never connect to, by kind: more than 60 spellings.

/** Each in the form of a host in a URL. */
export const hostileHosts: Readonly<Record<string, readonly string[]>> = {
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
  'a cluster': [
    ...['redis.default.svc', 'REDIS.default.SVC.', 'db.svc.cluster.local', 'db.prod.svc.cluster'],
    ...['vault.service.consul', 'host.docker', 'api.service.nomad'],
  ],
  'a cloud metadata service': [
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
  'a reserved address': [
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
