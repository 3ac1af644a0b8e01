// Conversations with a draft: in the bot for tests that belongs to it, by the Chat API.
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, chat, platform } from '@botstead/contract'
import { type AuthoringTool, bot, type ToolContext } from './tool.ts'
import { toAnswer } from './traced-answers.ts'

interface Input {
  bot: string
  message: string
  conversation?: string
}

export const talk: AuthoringTool = {
  name: 'talk',
  title: 'Talk to a draft',
  description:
    'Sends a message to the draft, as a person would, and returns its answers with the trace: the ' +
    'nodes, cards and variables of the turn. Runs in a bot for tests with its own data, which ' +
    'reaches no channel. Without `conversation`, a new one begins; pass the returned id to ' +
    'continue. The draft must have no problems',
  properties: {
    bot,
    message: { type: 'string', minLength: 1, maxLength: 10_000 },
    conversation: { type: 'string', minLength: 1, maxLength: 64 },
  },
  required: ['bot', 'message'],
  permissions: ['bots.read', 'bots.update', 'data.read'],
  isReading: false,
  async perform(context, { bot: botId, message, conversation }: Input) {
    const { revision } = await context.drafts.read(botId)
    const trial = await context.call(platform.drafts.tryBotDraft, {
      params: { botId },
      body: { revision },
    })
    if (trial.loadError !== undefined)
      throw new ApiError(
        'Runtime',
        `The code of the draft does not load: ${trial.loadError}`,
      )
    if (trial.webhookId === null)
      throw new ApiError(
        'Runtime',
        'The bot for tests has no chat: remove it, then try again',
      )
    const person = await openPerson(context, trial.webhookId)
    const conversationId = conversation ?? (await begin(context, person))
    const sent = await context.call(
      chat.messages.createMessage,
      { body: { conversationId, payload: { type: 'text', text: message } } },
      { chat: person },
    )
    const answer = await waitForAnswer(context, trial.botId, sent.message.id)
    return { revision, conversation: conversationId, testBot: trial.botId, ...answer }
  },
}

interface Person {
  webhookId: string
  userKey: string
}

/**
 * A user of the bot for tests for each member, so that members continue only their own
 * conversations.
 */
async function openPerson(
  { call, accountId, services: { callers, userKeys } }: ToolContext,
  webhookId: string,
): Promise<Person> {
  const id = `author-${accountId}`
  const isNew = await call(
    chat.users.createUser,
    { body: { id } },
    { chat: { webhookId } },
  ).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError && error.type === 'AlreadyExists') return false
      throw error
    },
  )
  const found = await callers.chat(webhookId)
  if (!found)
    throw new ApiError(
      'ResourceNotFound',
      `The chat ${isNew ? 'of the draft' : webhookId} was not found`,
    )
  return { webhookId, userKey: await userKeys.make(found, id) }
}

const begin = async ({ call }: ToolContext, person: Person) =>
  (await call(chat.conversations.createConversation, { body: {} }, { chat: person }))
    .conversation.id

const maxWaitMs = 45_000
const pollMs = 200

/** Returns the answer as far as it is known when the time ends. */
async function waitForAnswer({ call }: ToolContext, botId: string, messageId: string) {
  const until = performance.now() + maxWaitMs
  for (;;) {
    const { trace } = await call(
      platform.traces.getMessageTrace,
      { params: { id: messageId } },
      { botId },
    )
    const hasEnded =
      trace !== null && !['pending', 'scheduled'].includes(trace.event.status)
    // The trace of a turn is stored shortly after its event has ended.
    if (trace && hasEnded && (trace.turn || trace.event.status !== 'processed'))
      return toAnswer(trace)
    if (performance.now() > until) {
      if (trace && hasEnded) return toAnswer(trace)
      return {
        status: 'pending',
        hint: 'The turn still runs: read_trace shows it when it has ended',
      }
    }
    await pause(pollMs)
  }
}
