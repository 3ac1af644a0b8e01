import { expect, test } from 'vitest'
import { openAnswerStream } from './streams.ts'
import type { Turn } from './turn.ts'

const turnOf = (conversationId: string | undefined, steps: number) =>
  ({ delivered: { id: 'evt_1', conversationId }, steps }) as Turn

test('gives each step of a turn its own stream, which is the same in a repeated turn', () => {
  const stream = openAnswerStream(turnOf('conv_1', 2))!
  const { streamId } = stream.metadata
  expect(stream.publishTo).toEqual({ conversationId: 'conv_1', streamId })
  expect(openAnswerStream(turnOf('conv_1', 2))).toEqual(stream)
  expect(openAnswerStream(turnOf('conv_1', 3))!.metadata.streamId).not.toBe(streamId)
})

test('gives no stream for an event without a conversation', () => {
  expect(openAnswerStream(turnOf(undefined, 0))).toBeNull()
})
