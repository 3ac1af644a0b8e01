// The built-in integration `chat`: the Chat API in the form of an integration. The server itself
// does the work and invokes no code.
import type { JsonSchema } from '../../../infra/lib/json-schemas.ts'
import type { IntegrationDefinition } from './definition.ts'

const text: JsonSchema = { type: 'string' }
const filled: JsonSchema = { type: 'string', minLength: 1 }
const anything: JsonSchema = { type: 'object', additionalProperties: true }

// Alternatives use `anyOf`: CLIs convert these schemas to zod, and most of their versions fail on
// `oneOf`.

/** Allows no additional properties by default. A name that ends in `?` is optional. */
function object(properties: Record<string, JsonSchema>, additionalProperties = false): JsonSchema {
  const named = Object.entries(properties).map(
    ([name, schema]) => [name.replace('?', ''), schema] as const,
  )
  return {
    type: 'object',
    properties: Object.fromEntries(named),
    required: Object.keys(properties).filter((name) => !name.endsWith('?')),
    additionalProperties,
  }
}
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

const options = { text: filled, options: list(object({ label: filled, value: filled }, true)) }
const card = {
  title: filled,
  'subtitle?': filled,
  'imageUrl?': filled,
  actions: list(
    object({ action: { enum: ['postback', 'url', 'say'] }, label: filled, value: filled }, true),
  ),
}
const simple = {
  text: { text: filled },
  markdown: { markdown: filled },
  image: { imageUrl: filled, 'title?': filled },
  audio: { audioUrl: filled, 'title?': filled },
  video: { videoUrl: filled, 'title?': filled },
  file: { fileUrl: filled, 'title?': filled },
  location: {
    latitude: { type: 'number' },
    longitude: { type: 'number' },
    'address?': text,
    'title?': text,
  },
}
const payloads = {
  ...simple,
  card,
  carousel: { items: list(object(card, true)) },
  choice: options,
  dropdown: options,
  bloc: {
    items: list({
      anyOf: Object.entries(simple).map(([type, fields]) =>
        object({ type: { const: type }, payload: object(fields, true) }),
      ),
    }),
  },
}
/** Clients and bots may send additional fields, and attach metadata. */
const messages = Object.fromEntries(
  Object.entries(payloads).map(([type, fields]) => [
    type,
    { schema: object({ ...fields, 'metadata?': anything }, true) },
  ]),
)

const fid = { title: 'Foreign id', description: 'Id that the chat client chose' }

export const chatTitle = 'Chat'
export const chatDescription = 'Talk to the bot over HTTP: the Chat API of this server.'

export const chatDefinition: IntegrationDefinition = {
  identifier: {},
  configuration: {
    identifier: { required: false },
    schema: object({
      'encryptionKey?': {
        ...text,
        title: 'Encryption key',
        description:
          'Signs user keys (HS256). Set it to sign them yourself; without it the server does.',
      },
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
        tags: {
          owner: { title: 'Owner', description: 'The user that created the conversation' },
          fid,
        },
        creation: { enabled: false, requiredTags: [] },
      },
      message: { tags: { fid } },
    },
  },
  states: {},
  events: {
    custom: {
      title: 'Custom event',
      description: 'A chat client sends data to the bot that is not a message',
      schema: object({ userId: text, conversationId: text, payload: anything }),
    },
  },
  actions: {
    sendEvent: {
      title: 'Send an event',
      description: 'Sends data that is not a message to the listeners of a conversation',
      input: { schema: object({ conversationId: text, payload: anything }, true) },
      output: { schema: object({}) },
    },
    publishMessageStream: {
      title: 'Publish a part of a message',
      description: 'Streams a message to the listeners of a conversation while it is being written',
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
    tags: {
      fid,
      profile: { title: 'Profile', description: 'Profile of the user, as sent by the chat client' },
    },
    creation: { enabled: false, requiredTags: [] },
  },
  entities: {},
  interfaces: {},
  extraOperations: {},
}
