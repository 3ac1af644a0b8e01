import { expect, test } from 'vitest'
import { sha256 } from '../secrets.ts'
import { sha256InSlices, toBytesInSlices } from './long-texts.ts'

const texts = [
  ['short', 'é😀'],
  ['long', 'é\ud83d\ude00x'.repeat(1_000_000)],
  ['with surrogates at the end of a slice', `x${'😀'.repeat(1_048_577)}`],
] as const

test.each(texts)('hashes a text as at once: %s', async (_, text) => {
  expect(await sha256InSlices(text)).toEqual(sha256(text))
})

test.each(texts)('encodes a text as at once: %s', async (_, text) => {
  expect((await toBytesInSlices(text)).equals(Buffer.from(text))).toBe(true)
})
