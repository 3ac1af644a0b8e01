// The included model in its real process.
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import {
  killModelProcess,
  modelProcesses,
  readNiceness,
} from '../../../../test/support/model-processes.ts'
import { embedWithSplitting } from '../providers/embed-with-splitting.ts'
import type { Embeddings, EmbedOptions } from '../providers/embeddings.ts'
import { openIncludedEmbeddings } from './included-embeddings.ts'

const log = pino({ level: 'silent' })
const question: EmbedOptions = { timeoutMs: 60_000, botId: null }
const passages: EmbedOptions = { ...question, isBackground: true }
const longText = 'The parcel arrives with the rain and the oven bakes. '.repeat(50)

let opened: Embeddings
afterEach(async () => {
  await opened?.close()
  await vi.waitFor(() => expect(modelProcesses()).toEqual([]), { timeout: 10_000 })
})

function open(options = {}) {
  opened = openIncludedEmbeddings({
    memoryMb: 2_048,
    timeoutMs: 60_000,
    log,
    ...options,
  })!
  return opened
}

const product = (one: Float32Array | null, two: Float32Array | null) =>
  one!.reduce((sum, value, at) => sum + value * two![at]!, 0)

test('embeds texts of similar meaning near each other, whatever their words', async () => {
  const [money, refund, oven] = await open().embed(
    [
      'How do I get my money back?',
      'Refunds are paid within 14 days.',
      'The oven is hot.',
    ],
    question,
  )
  expect(money).toHaveLength(384)
  expect(product(money!, money!)).toBeCloseTo(1)
  expect(product(money!, refund!)).toBeGreaterThan(0.3)
  expect(product(money!, oven!)).toBeLessThan(0.2)
})

test('starts with the first text, with the lowest priority, and ends when it is idle', async () => {
  const { embed } = open({ idleMs: 200 })
  expect(modelProcesses()).toEqual([])
  const [before] = await embed(['text'], question)
  expect(modelProcesses().map(readNiceness)).toContain(19)
  await vi.waitFor(() => expect(modelProcesses()).toEqual([]), { timeout: 10_000 })
  const [after] = await embed(['text'], question)
  expect(product(before!, after!)).toBeCloseTo(1)
})

test('answers a question before the passages that wait', async () => {
  const { embed } = open()
  await embed(['text'], question)
  let isIndexed = false
  const indexing = embed(Array(5).fill(longText), passages).then(() => {
    isIndexed = true
  })
  await embed(['How do I get my money back?'], question)
  expect(isIndexed).toBe(false)
  await indexing
})

test('rejects a question at its time limit, and answers the next one', async () => {
  const { embed } = open()
  await expect(embed(['too late'], { ...question, timeoutMs: 1 })).rejects.toThrow(
    /timeout/,
  )
  expect(await embed(['in time'], question)).toHaveLength(1)
  expect(modelProcesses().length).toBeGreaterThan(0)
})

test('starts at once after one crash, and with a pause after repeated ones', async () => {
  const { embed } = open()
  await embed(['text'], question)
  const crash = async () => {
    const computing = embed(Array(20).fill(longText), passages).catch(
      (error: Error) => error,
    )
    await killModelProcess()
    expect(await computing).toMatchObject({ message: 'its process ended' })
  }
  await crash()
  expect(await embed(['text'], question)).toHaveLength(1)
  await opened.close()

  const starting = open({ memoryMb: 128 })
  const tooLittle = /needs more memory than 128 MB/
  await expect(starting.embed(['text'], question)).rejects.toThrow(tooLittle)
  await expect(starting.embed(['text'], question)).rejects.toThrow(tooLittle)
  await expect(starting.embed(['text'], question)).rejects.toThrow(/ended repeatedly/)
})

test('accepts every text that a file may contain', async () => {
  const embeddings = open()
  const texts = [
    '',
    ' ',
    '\u0000',
    '\ud800',
    '🏳️‍🌈'.repeat(2_000),
    'ﷺ'.repeat(2_000),
    'e\u0301\u0323'.repeat(3_000),
    '漢'.repeat(16_000),
    'x'.repeat(1_000_000),
    '[CLS] [SEP] [PAD] [MASK]',
  ]
  const vectors = await embedWithSplitting(embeddings, texts, question)
  expect(vectors.map((vector) => vector?.length)).toEqual(texts.map(() => 384))
  for (const vector of vectors) expect(product(vector, vector)).toBeCloseTo(1)
})

test('does not open without its packages', () => {
  expect(
    openIncludedEmbeddings({
      memoryMb: 2_048,
      timeoutMs: 1,
      log,
      packages: ['@lat.md/none'],
    }),
  ).toBeNull()
})
