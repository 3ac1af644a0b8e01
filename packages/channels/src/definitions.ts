// Parts of definitions that channels have in common.
import {
  anySchema,
  filledSchema,
  messageSchemas,
  objectSchema,
  textSchema,
} from '@botstead/contract'
import type { ChannelDefinition } from './channel.ts'

type Schema = Record<string, unknown>

/** A setting of the configuration. */
export const setting = (
  title: string,
  description: string,
  schema: Schema = filledSchema,
) => ({
  ...schema,
  title,
  description,
})

/** A setting that is not shown again. */
export const secret = (title: string, description: string): Schema => ({
  ...setting(title, description),
  // The mark of the SDK, `x-zui`, does not compile for optional settings in code that older CLIs generate.
  writeOnly: true,
})

/** For channels whose people send voice notes: messages of type `audio` with `isVoice`. */
export const voiceSettings = {
  'transcribeVoice?': setting(
    'Transcribe voice notes',
    '"automatic": if a model for transcription is configured, and no rule of the bot redacts what ' +
      'models get. "always": also with such a rule, which cannot redact a voice. "never": not at all.',
    { enum: ['automatic', 'always', 'never'], default: 'automatic' },
  ),
}

/** A name that ends in `?` is optional. */
export const configuration = (settings: Record<string, Schema>) => ({
  identifier: { required: false },
  schema: objectSchema(settings),
})

/** Names and titles of tags. */
const tags = (titles: Record<string, string>) =>
  Object.fromEntries(Object.entries(titles).map(([name, title]) => [name, { title }]))

/** Messages of all types, with the tags of one channel. The tags `by` identify a conversation. */
export const channel = (
  title: string,
  conversation: Record<string, string>,
  message: Record<string, string>,
  by: string[] = ['id'],
): ChannelDefinition['channels'][string] => ({
  title,
  messages: messageSchemas,
  conversation: {
    tags: tags(conversation),
    creation: { enabled: true, requiredTags: by },
  },
  message: {
    tags: tags({ ...message, parts: 'How many messages of the provider it became' }),
  },
})

export const user = (
  titles: Record<string, string>,
  by: string[] = ['id'],
): ChannelDefinition['user'] => ({
  tags: tags(titles),
  creation: { enabled: true, requiredTags: by },
})

const inConversation = objectSchema(
  { conversationId: textSchema, 'messageId?': textSchema },
  true,
)

export const action = (
  title: string,
  description: string,
  input: Schema = inConversation,
  output: Schema = objectSchema({}),
) => ({ title, description, input: { schema: input }, output: { schema: output } })

/** As the interface of typing indicators names them. */
export const typingActions = {
  startTypingIndicator: action('Start typing', 'Shows that the bot is typing'),
  stopTypingIndicator: action('Stop typing', 'Hides that the bot is typing'),
}

/** What people do with messages that is no message. */
export const messageEvents = {
  messageEdited: {
    title: 'Message edited',
    description: 'A person has changed a message',
    schema: objectSchema(
      { messageTags: anySchema, payload: anySchema, userTags: anySchema },
      true,
    ),
  },
  messageDeleted: {
    title: 'Message deleted',
    description: 'A person has deleted a message',
    schema: objectSchema({ messageTags: anySchema, userTags: anySchema }, true),
  },
  reactionAdded: {
    title: 'Reaction added',
    description: 'A person has reacted to a message',
    schema: objectSchema(
      { messageTags: anySchema, reaction: textSchema, userTags: anySchema },
      true,
    ),
  },
  reactionRemoved: {
    title: 'Reaction removed',
    description: 'A person has taken back a reaction',
    schema: objectSchema(
      { messageTags: anySchema, reaction: textSchema, userTags: anySchema },
      true,
    ),
  },
}
