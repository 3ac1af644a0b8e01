// The built-in integration `webchat`, with the events, actions and message types of the original one,
// so that bots made for it work unchanged. Clients use the Webchat API.
import {
  anySchema as anything,
  filledSchema as filled,
  messageSchemas as messages,
  objectSchema as object,
  textSchema as text,
} from '@botstead/contract'
import type { JsonSchema } from '../../compute/index.ts'
import type { IntegrationDefinition } from '../integrations/definition.ts'
import {
  chatSettings,
  commonActions,
  conversationStarted,
  conversationTags,
  messageTags,
  userTags,
} from './chat-definition.ts'

export const webchatTitle = 'Webchat'
export const webchatDescription =
  'Talk to the bot on web pages: the Webchat API of this server.'

const action = (
  title: string,
  description: string,
  input: Record<string, JsonSchema>,
  output: Record<string, JsonSchema> = {},
) => ({
  title,
  description,
  input: { schema: object(input, true) },
  output: { schema: object(output) },
})
const inConversation = { conversationId: text }

export const webchatDefinition: IntegrationDefinition = {
  identifier: {},
  configuration: { identifier: { required: false }, schema: object(chatSettings) },
  configurations: {},
  channels: {
    channel: {
      title: 'Channel',
      messages: {
        ...messages,
        custom: {
          schema: object(
            { url: filled, name: filled, 'data?': {}, 'metadata?': anything },
            true,
          ),
        },
      },
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
    trigger: {
      title: 'Trigger',
      description: 'A web page sends data to the bot that is not a message',
      schema: object({
        origin: { const: 'website' },
        userId: text,
        conversationId: text,
        payload: anything,
      }),
    },
  },
  actions: {
    showWebchat: action(
      'Show the webchat',
      'Opens the webchat on the page',
      inConversation,
    ),
    hideWebchat: action(
      'Hide the webchat',
      'Closes the webchat on the page',
      inConversation,
    ),
    toggleWebchat: action(
      'Toggle the webchat',
      'Opens or closes the webchat on the page',
      inConversation,
    ),
    configWebchat: action(
      'Configure the webchat',
      'Changes the configuration on the page',
      {
        ...inConversation,
        config: { ...text, description: 'JSON object' },
      },
    ),
    customEvent: action(
      'Send a custom event',
      'Sends data that is not a message to the page',
      {
        ...inConversation,
        event: { ...text, description: 'JSON object' },
      },
    ),
    ...commonActions,
    getUserData: action(
      'Get user data',
      'Returns the data and attributes that the page sent about its user',
      { userId: text },
      { 'userData?': anything, 'attributes?': anything },
    ),
  },
  user: { tags: userTags, creation: { enabled: false, requiredTags: [] } },
  entities: {},
  interfaces: {},
  extraOperations: {},
}
