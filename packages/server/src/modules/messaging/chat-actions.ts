// The actions of the built-in integration `chat`. They publish signals to a conversation's
// listeners; nothing is stored. Inputs have passed the integration's schemas. Ids are those that
// chat clients see.
import { ApiError } from '@botstead/contract'
import type { Db } from '../../infra/db/open.ts'
import type { Signals } from '../../infra/realtime/signals.ts'
import { findConversation } from './conversations.ts'

interface Deps {
  db: Db
  signals: Pick<Signals, 'publish'>
}
type Input = Record<string, unknown>
interface Context {
  botId: string
  conversationId: string
}

const actions: Record<string, (input: Input, context: Context) => { type: string; data: unknown }> =
  {
    sendEvent: ({ payload }, { botId, conversationId }) => ({
      type: 'event_created',
      data: {
        id: null,
        createdAt: new Date().toISOString(),
        payload,
        conversationId,
        userId: botId,
        isBot: true,
      },
    }),

    publishMessageStream({ signal }, { botId, conversationId }) {
      const { type, streamId, ...delta } = signal as Input
      if (type === 'abort')
        return { type: 'message_stream_abort', data: { streamId, conversationId } }
      return {
        type: 'message_stream_delta',
        data: { streamId, conversationId, userId: botId, ...delta },
      }
    },
  }

/** Throws ReferenceNotFound for an unknown action, or a conversation that is not in this chat. */
export async function callChatAction(
  { db, signals }: Deps,
  botId: string,
  alias: string,
  action: string,
  input: Input,
): Promise<Input> {
  const perform = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (!perform)
    throw new ApiError(
      'ReferenceNotFound',
      `Action "${action}" of the integration "${alias}" was not found`,
    )
  const id = String(input.conversationId)
  const conversation = await findConversation(db, botId, id, alias).catch((error) => {
    throw error instanceof ApiError ? new ApiError('ReferenceNotFound', error.message) : error
  })
  signals.publish(botId, id, null, () =>
    perform(input, { botId, conversationId: conversation.fid ?? conversation.id }),
  )
  return {}
}
