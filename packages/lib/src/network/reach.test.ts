import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { classifyAddress, parseReach, reachOfOwners } from './reach.ts'

const inside = [
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  'fe80::1',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
]
const outside = [
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '193.0.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
]

test.each(inside)('%s is not public', (address) =>
  expect(parseReach('public')!(address)).toBe(false),
)
test.each(outside)('%s is public', (address) =>
  expect(parseReach('public')!(address)).toBe(true),
)

test('blocks every address of this machine', () => {
  const own = Object.values(networkInterfaces()).flatMap(
    (ones) => ones?.map(({ address }) => address) ?? [],
  )
  expect(own.filter(parseReach('public')!)).toEqual([])
})

const lan = 'public, 10.0.0.0/8, ::1'
test.each([
  [lan, '10.1.2.3', true],
  [lan, '::1', true],
  [lan, '8.8.8.8', true],
  [lan, '192.168.1.1', false],
  [lan, '127.0.0.1', false],
  [lan, 'localhost', false],
  [lan, '2130706433', false],
  [lan, '0x7f.1', false],
  [lan, '', false],
  [lan, '[::1]', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '10.1.2.4', false],
  ['10.1.2.3', '8.8.8.8', false],
  ['none', '8.8.8.8', false],
  ['none', '127.0.0.1', false],
])('"%s" includes the address "%s": %s', (reach, address, expected) => {
  expect(parseReach(reach)!(address)).toBe(expected)
})

test.each(['internet', '', '10.0.0.0/33', 'none, public', 'example.com'])(
  'rejects "%s" as a list of addresses and networks',
  (reach) => {
    expect(parseReach(reach)).toBeNull()
  },
)

test.each([
  ['127.9.9.9', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['10.0.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd12::1', 'private'],
  ['169.254.1.1', 'link-local'],
  ['fe80::1', 'link-local'],
  ['169.254.169.254', 'metadata'],
  ['::ffff:a9fe:a9fe', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['0.0.0.0', 'reserved'],
  ['::', 'reserved'],
  ['64:ff9b::7f00:1', 'reserved'],
  ['64:ff9b:1::a00:1', 'reserved'],
  ['2002:7f00:1::', 'reserved'],
  ['224.0.0.1', 'reserved'],
  ['8.8.8.8', 'public'],
  ['2606:4700::1111', 'public'],
])('%s is a %s address', (address, kind) => expect(classifyAddress(address)).toBe(kind))

test("lets owners' workspaces reach private networks, but metadata services only if listed", () => {
  const addresses = [
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    'fd12::1',
    '8.8.8.8',
    '169.254.169.254',
    'fd00:ec2::254',
    '0.0.0.0',
  ]
  const none = reachOfOwners(parseReach('none')!)
  expect(addresses.filter(none)).toEqual([
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    'fd12::1',
    '8.8.8.8',
  ])
  expect(reachOfOwners(parseReach('169.254.169.254')!)('169.254.169.254')).toBe(true)
})
