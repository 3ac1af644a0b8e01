import { describe, expect, test } from 'vitest'
import { clientAddress, parseTrust, toNetwork } from './addresses.ts'

const from = (remoteAddress: string, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
})

describe('client address', () => {
  test.each([
    [
      'address of the connection without trusted proxies',
      '',
      from('10.0.0.1', '1.2.3.4'),
      '10.0.0.1',
    ],
    [
      'one proxy: the last that was added',
      '1',
      from('10.0.0.1', '6.6.6.6, 1.2.3.4'),
      '1.2.3.4',
    ],
    ['two proxies', '2', from('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2'), '1.2.3.4'],
    ['fewer proxies than configured', '3', from('10.0.0.1', '1.2.3.4'), '1.2.3.4'],
    ['a proxy that adds nothing', '1', from('10.0.0.1'), '10.0.0.1'],
    ['ignores an invalid address', '1', from('10.0.0.1', 'unknown'), '10.0.0.1'],
    [
      'by network',
      '127.0.0.1, 10.0.0.0/8',
      from('127.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9'),
      '1.2.3.4',
    ],
    ['not a trusted network', '10.0.0.0/8', from('11.0.0.1', '1.2.3.4'), '11.0.0.1'],
    ['IPv6', 'fd00::/8', from('fd00::1', '2001:db8::7'), '2001:db8::7'],
    [
      'IPv4 in the dress of IPv6',
      '127.0.0.1',
      from('::ffff:127.0.0.1', '::ffff:1.2.3.4'),
      '1.2.3.4',
    ],
    [
      'a connection that is gone',
      '1',
      { socket: { remoteAddress: undefined }, headers: { 'x-forwarded-for': '1.2.3.4' } },
      '',
    ],
  ])('%s', (_, trust, arrived, address) =>
    expect(clientAddress(arrived, parseTrust(trust)!)).toBe(address),
  )
})

test.each([
  'true',
  'loopback',
  '10.0.0.0/33',
  '10.0.0.0/8/1',
  '1.2.3',
  '300',
  '::/x',
  ',',
  '-1',
])('rejects the trust setting "%s"', (text) => expect(parseTrust(text)).toBeNull())

test.each([
  ['1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s counts as %s', (address, network) => expect(toNetwork(address)).toBe(network))
