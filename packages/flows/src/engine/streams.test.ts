import { expect, test } from 'vitest'
import { openAnswerStream } from './streams.ts'
import type { Turn } from './turn.ts'

interface Given {
  conversationId?: string
  integration?: string
  steps?: number
  hooks?: { kind: string }[]
}

const open = ({
  conversationId = 'conv_1',
  integration = 'chat',
  steps = 2,
  ...document
}: Given = {}) =>
  openAnswerStream({
    engine: { program: { document } },
    delivered: {
      id: 'evt_1',
      conversationId,
      payload: { conversation: { integration } },
    },
    steps,
  } as unknown as Turn)

test('gives each step of a turn its own stream, which is the same in a repeated turn', () => {
  const stream = open()!
  const { streamId } = stream.message.metadata
  expect(stream.publishTo).toEqual({ conversationId: 'conv_1', streamId })
  expect(open()).toEqual(stream)
  expect(open({ steps: 3 })!.message.metadata.streamId).not.toBe(streamId)
  expect(open({ integration: 'webchat' })).toEqual(stream)
})

test('gives no stream without listeners, or before a hook for outgoing messages', () => {
  expect(open({ integration: 'telegram' })).toBeNull()
  expect(open({ hooks: [{ kind: 'beforeOutgoing' }] })).toBeNull()
  expect(open({ hooks: [{ kind: 'afterTurnEnd' }] })).not.toBeNull()
})
