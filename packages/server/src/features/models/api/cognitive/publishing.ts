// Text of a model for the listeners of a conversation, while the bot waits for it or reads it.
import { ApiError, type PublishTo } from '@botstead/contract'
import type { Caller, Services } from '../../../../core/http/index.ts'
import { conversationStore, MessageStream } from '../../../../core/messaging/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import type { TextEvent } from '../../gateway/call.ts'

type Events = AsyncIterable<TextEvent>

/**
 * Returns a function that publishes events as they pass. Throws ReferenceNotFound for a
 * conversation that the caller does not see.
 */
export async function publisherFor(
  { db, signals }: Services & RealtimeServices,
  { botId, integration }: Caller<'bot'>,
  { conversationId, streamId, clientMessageId }: PublishTo,
): Promise<(events: Events) => AsyncGenerator<TextEvent, void>> {
  const viewer = integration?.alias ?? null
  const conversation = await conversationStore
    .find(db, botId, conversationId, viewer)
    .catch((error) => {
      throw error instanceof ApiError
        ? new ApiError('ReferenceNotFound', error.message)
        : error
    })
  const stream = new MessageStream(signals, {
    botId,
    conversation,
    streamId,
    clientMessageId,
  })
  return (events) => published(stream, events)
}

/**
 * A text before tool calls is not the answer: the stream begins again with the next call. The last
 * text is published before the bot learns that it is the last, and stores its message.
 */
async function* published(
  stream: MessageStream,
  events: Events,
): AsyncGenerator<TextEvent, void> {
  let isAnswer = false
  try {
    for await (const event of events) {
      if (event.type === 'text') stream.write(event.text)
      if (event.type === 'restart') stream.abort()
      if (event.type === 'finish') isAnswer = event.summary.toolCalls.length === 0
      if (isAnswer) stream.finish()
      yield event
    }
  } finally {
    if (!isAnswer) stream.abort()
  }
}
