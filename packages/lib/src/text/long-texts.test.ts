import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  sha256InSlices,
  toBytesInSlices,
  toSharedInSlices,
  toTextInSlices,
} from './long-texts.ts'

const texts = [
  ['empty', ''],
  ['short', 'é😀'],
  ['long', 'é\ud83d\ude00x'.repeat(1_000_000)],
  ['with surrogates at the end of a slice', `x${'😀'.repeat(1_048_577)}`],
] as const

test.each(texts)('encodes and decodes a text as at once: %s', async (_, text) => {
  const bytes = await toBytesInSlices(text)
  expect(bytes.equals(Buffer.from(text))).toBe(true)
  expect((await toTextInSlices(bytes)) === text).toBe(true)
  expect(bytes.equals(await toSharedInSlices(bytes))).toBe(true)
})

test.each(texts)('hashes bytes as at once: %s', async (_, text) => {
  expect(await sha256InSlices(Buffer.from(text))).toEqual(
    createHash('sha256').update(text).digest(),
  )
})
