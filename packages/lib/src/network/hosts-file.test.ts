import { expect, test } from 'vitest'
import { parseHosts } from './hosts-file.ts'

test('reads addresses and names, and ignores comments and malformed lines', () => {
  const hosts = parseHosts(
    '# comment\n127.0.0.1 localhost Bots.Example # pinned\n::1\tlocalhost.\nnonsense here\n'.concat(
      '10.0.0.1 bots.example',
    ),
  )
  expect(hosts.get('localhost')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
  expect(hosts.get('bots.example')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ])
  expect([...hosts.keys()]).toEqual(['localhost', 'bots.example'])
})
