// The built-in integration `chat`: the Chat API in the form of an integration. The server itself
// does the work and invokes no code.
import {
  anySchema as anything,
  filledSchema as filled,
  messageSchemas as messages,
  objectSchema as object,
  textSchema as text,
} from '@botstead/contract'
import type { IntegrationDefinition } from '../integrations/definition.ts'
import { appearanceSchema } from './chat-appearance.ts'

const fid = { title: 'Foreign id', description: 'Id that the chat client chose' }

export const conversationTags = {
  owner: { title: 'Owner', description: 'The user that created the conversation' },
  fid,
}
export const messageTags = {
  fid,
  feedback: { title: 'Feedback', description: 'Rating by a user: positive or negative' },
  feedbackComment: {
    title: 'Feedback comment',
    description: 'Comment of the user on the rating',
  },
  selectedBy: { title: 'Selected by', description: 'The user that selected the message' },
}
export const userTags = {
  fid,
  profile: {
    title: 'Profile',
    description: 'Profile of the user, as sent by the chat client',
  },
}

/**
 * Returns how to correct the first of the `allowedOrigins` that no browser sends, or null. The
 * schema describes origins, but its mismatch would be a pattern.
 */
export function findInvalidOrigin({
  allowedOrigins,
}: Record<string, unknown>): string | null {
  if (!Array.isArray(allowedOrigins)) return null
  const invalid = allowedOrigins.find(
    (one) => typeof one === 'string' && parseOrigin(one) !== one,
  )
  if (invalid === undefined) return null
  const origin = parseOrigin(/^https?:/i.test(invalid) ? invalid : `https://${invalid}`)
  return (
    `\`allowedOrigins\`: "${invalid.slice(0, 100)}" is not an origin. ` +
    `Write ${origin?.slice(0, 300) ?? 'https://www.example.org'}, without a path`
  )
}

function parseOrigin(url: string): string | null {
  const { origin = '' } = URL.canParse(url) ? new URL(url) : {}
  return /^https?:\/\/[\w[]/.test(origin) ? origin : null
}

/** Configuration of both integrations. */
export const chatSettings = {
  'encryptionKey?': {
    ...text,
    title: 'Encryption key',
    description:
      'Signs user keys (HS256). Set it to sign them yourself; without it the server does.',
  },
  'adminSecret?': {
    ...text,
    title: 'Admin secret',
    description:
      'Permits callers that send it in the header x-admin-secret to create users and keys.',
  },
  'allowedOrigins?': {
    type: 'array',
    items: {
      ...text,
      pattern: '^https?://[\\w.:[\\]-]+$',
      maxLength: 300,
      title: 'Website',
      examples: ['https://www.example.org'],
    },
    maxItems: 100,
    title: 'Allowed websites',
    description:
      'Only pages of these websites, such as https://www.example.org, may use the chat in a browser. ' +
      'Without any, pages of all websites may.',
  },
  'appearance?': appearanceSchema,
}

export const conversationStarted = {
  title: 'Conversation started',
  description: 'A webchat opened a new conversation',
  schema: object({ userId: text, conversationId: text }),
}

const typingAction = (title: string, description: string) => ({
  title,
  description,
  input: { schema: object({ conversationId: text, 'messageId?': text }, true) },
  output: { schema: object({}) },
})
/** Actions of both integrations. */
export const commonActions = {
  handoff: {
    title: 'Hand over to a person',
    description: 'Requests a person for a conversation, in any channel',
    input: {
      schema: object(
        {
          conversationId: text,
          'reason?': {
            ...text,
            maxLength: 500,
            description: 'Why the bot cannot answer',
          },
          'summary?': {
            ...text,
            maxLength: 10_000,
            description: 'What the person should know',
          },
          'botReceives?': { enum: ['nothing', 'everything'] },
        },
        true,
      ),
    },
    output: { schema: object({ handoff: anything }) },
  },
  startTypingIndicator: typingAction('Start typing', 'Shows that the bot is typing'),
  stopTypingIndicator: typingAction('Stop typing', 'Hides that the bot is typing'),
}

export const chatTitle = 'Chat'
export const chatDescription = 'Talk to the bot over HTTP: the Chat API of this server.'

export const chatDefinition: IntegrationDefinition = {
  identifier: {},
  configuration: {
    identifier: { required: false },
    schema: object({
      ...chatSettings,
      'webhookUrl?': {
        ...text,
        title: 'Webhook URL',
        description: 'Every signal of every conversation is also posted here.',
      },
      'webhookSecret?': {
        ...text,
        title: 'Webhook secret',
        description: 'Sent along to the webhook URL in the header x-secret-key.',
      },
    }),
  },
  configurations: {},
  channels: {
    channel: {
      title: 'Channel',
      messages,
      conversation: {
        tags: conversationTags,
        creation: { enabled: false, requiredTags: [] },
      },
      message: { tags: messageTags },
    },
  },
  states: {},
  events: {
    conversationStarted,
    custom: {
      title: 'Custom event',
      description: 'A chat client sends data to the bot that is not a message',
      schema: object({ userId: text, conversationId: text, payload: anything }),
    },
  },
  actions: {
    ...commonActions,
    sendEvent: {
      title: 'Send an event',
      description: 'Sends data that is not a message to the listeners of a conversation',
      input: { schema: object({ conversationId: text, payload: anything }, true) },
      output: { schema: object({}) },
    },
    publishMessageStream: {
      title: 'Publish a part of a message',
      description:
        'Streams a message to the listeners of a conversation while it is being written',
      input: {
        schema: object({
          conversationId: text,
          signal: {
            anyOf: [
              object({
                type: { const: 'delta' },
                streamId: filled,
                createdAt: text,
                'clientMessageId?': text,
                sequence: { type: 'number' },
                delta: text,
              }),
              object({ type: { const: 'abort' }, streamId: filled }),
            ],
          },
        }),
      },
      output: { schema: object({}) },
    },
  },
  user: {
    tags: userTags,
    creation: { enabled: false, requiredTags: [] },
  },
  entities: {},
  interfaces: {},
  extraOperations: {},
}
