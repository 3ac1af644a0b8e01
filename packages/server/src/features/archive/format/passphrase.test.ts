import { expect, test } from 'vitest'
import { lockWith } from './passphrase.ts'

test('a workspace with many keys to derive delays no other one', async () => {
  const ended: string[] = []
  const lock = async (workspaceId: string) => {
    await lockWith(workspaceId, 'correct horse battery staple')
    ended.push(workspaceId)
  }
  await Promise.all([...Array.from({ length: 8 }, () => lock('a')), lock('b')])
  expect(ended).toHaveLength(9)
  expect(ended.indexOf('b')).toBeLessThan(3)
}, 60_000)
