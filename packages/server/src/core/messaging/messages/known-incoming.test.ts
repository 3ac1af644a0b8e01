import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openScene } from '../../../../test/support/scene.ts'
import { postKnown } from './known-incoming.ts'
import type { MessageWriter } from './message-writer.ts'

test('keeps the order of a conversation although the first message takes longer', async () => {
  const scene = await openScene()
  const texts: unknown[] = []
  const post = async ({ payload }: { payload: Record<string, unknown> }) => {
    if (payload.text === 'a1') await pause(50)
    texts.push(payload.text)
  }
  const messages = { post } as unknown as MessageWriter
  const toMessage = (text: string) => ({
    conversationId: `conv_${text[0]}`,
    userId: 'user_1',
    type: 'text',
    payload: { text },
    tags: { id: text },
    by: ['id'],
  })
  try {
    await scene.app.services.db
      .transaction()
      .execute((db) =>
        postKnown(
          { db, messages },
          scene.botId,
          'telegram',
          ['a1', 'b1', 'a2', 'b2'].map(toMessage),
        ),
      )
    // Other conversations do not wait.
    expect(texts).toEqual(['b1', 'b2', 'a1', 'a2'])
  } finally {
    await scene.close()
  }
})
