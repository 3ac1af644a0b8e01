// The actions of the built-in integrations `chat` and `webchat`. Most publish signals to a
// conversation's listeners, and store nothing. Inputs have passed the integration's schemas. Ids are
// those that chat clients see.
import { ApiError } from '@botstead/contract'
import type { Db } from '../../db/index.ts'
import type { Signal } from '../../realtime/index.ts'
import { findConversation } from '../conversations.ts'
import type { ConversationDeps, MessagingHooks } from '../hooks.ts'
import { findUser } from '../users.ts'
import { typingSignal } from './typing.ts'

export interface ChatDeps extends ConversationDeps {
  db: Db
  hooks: Pick<MessagingHooks, 'chatActions'>
}
type Input = Record<string, unknown>
interface Context {
  botId: string
  conversationId: string
}

type Content = Pick<Signal, 'type' | 'data'>

const visibility = (visibility: 'show' | 'hide' | 'toggle') => (): Content => ({
  type: 'webchat_visibility',
  data: { visibility },
})

const signalActions: Record<string, (input: Input, context: Context) => Content> = {
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
      data: { ...delta, streamId, conversationId, userId: botId },
    }
  },

  showWebchat: visibility('show'),
  hideWebchat: visibility('hide'),
  toggleWebchat: visibility('toggle'),
  configWebchat: ({ config }) => ({
    type: 'webchat_config',
    data: { config: parseObject(config, 'config') },
  }),
  customEvent: ({ event }) => ({
    type: 'custom',
    data: { event: parseObject(event, 'event') },
  }),
  startTypingIndicator: (_input, context) => typingSignal(context, { isTyping: true }),
  stopTypingIndicator: (_input, context) => typingSignal(context, { isTyping: false }),
}

function parseObject(text: unknown, field: string): Input {
  try {
    const value: unknown = JSON.parse(String(text))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Input
  } catch {
    // Not JSON.
  }
  throw new ApiError(
    'InvalidPayload',
    `\`input/${field}\` must be a JSON object, as text`,
  )
}

async function getUserData(
  { db }: Pick<ChatDeps, 'db'>,
  botId: string,
  alias: string,
  { userId }: Input,
): Promise<Input> {
  const { data, attributes } = await findUser(db, botId, String(userId), alias)
  return { ...(data && { userData: data }), ...(attributes && { attributes }) }
}

interface Caller {
  botId: string
  /** The event whose handler calls. */
  cause: string | null
}

/** Throws ReferenceNotFound for an unknown action, or a conversation that is not in this chat. */
export async function callChatAction(
  deps: ChatDeps,
  caller: Caller,
  alias: string,
  action: string,
  input: Input,
): Promise<Input> {
  const { db, signals } = deps
  const { botId } = caller
  const added = deps.hooks.chatActions.get(action)
  if (added) return added(deps, caller, input)
  if (action === 'getUserData') return getUserData(deps, botId, alias, input)
  const perform = Object.hasOwn(signalActions, action) ? signalActions[action] : undefined
  if (!perform)
    throw new ApiError(
      'ReferenceNotFound',
      `Action "${action}" of the integration "${alias}" was not found`,
    )
  const id = String(input.conversationId)
  const conversation = await findConversation(db, botId, id, alias).catch(asReference)
  const context = { botId, conversationId: conversation.fid ?? conversation.id }
  const content = perform(input, context)
  signals.publish(botId, id, null, () => content)
  return {}
}

function asReference(error: unknown): never {
  throw error instanceof ApiError
    ? new ApiError('ReferenceNotFound', error.message)
    : error
}
