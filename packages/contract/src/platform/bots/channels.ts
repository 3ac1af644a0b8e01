import { Type as T } from 'typebox'
import { closed, Json } from '../../fields.ts'
import {
  ChannelCheck,
  ChannelGuide,
  ChannelState,
} from '../../models/integrations/channel.ts'
import { operation } from '../../operation.ts'

const ofBot = T.Object({ botId: T.String() })
const ofGuide = T.Object({ botId: T.String(), name: T.String() })
const ofChannel = T.Object({ botId: T.String(), alias: T.String() })
const path = '/v1/platform/bots/{botId}/channels'
const guide = '/v1/platform/bots/{botId}/channel-guides/{name}'

export const channels = {
  listChannels: operation({
    method: 'GET',
    path,
    access: 'workspace',
    permission: 'bots.read',
    summary: 'List channels of a bot with their states',
    description:
      '`available` are the channels that come with the server, `channels` those in the bot, by alias; ' +
      'at most 30.',
    params: ofBot,
    response: closed({
      channels: T.Array(ChannelState),
      available: T.Array(
        closed({ name: T.String(), title: T.String(), description: T.String() }),
      ),
    }),
    errors: ['ResourceNotFound'],
  }),
  getChannelGuide: operation({
    method: 'GET',
    path: guide,
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Get the steps of connecting a channel',
    description:
      'With the alias of an installed channel, files contain its settings that are no secrets.',
    params: ofGuide,
    query: T.Object({ alias: T.Optional(T.String({ maxLength: 200 })) }),
    response: closed({ guide: ChannelGuide }),
    errors: ['ResourceNotFound'],
  }),
  checkChannel: operation({
    method: 'POST',
    path: `${guide}/check`,
    access: 'workspace',
    permission: 'bots.update',
    audit: false,
    summary: 'Check settings of a channel at its provider',
    description:
      'Stores nothing, and changes nothing at the provider. Waits at most 10 seconds. `alias`: of the ' +
      'channel that the settings are for, which may have the same account.',
    params: ofGuide,
    body: closed({
      configuration: Json,
      alias: T.Optional(T.String({ maxLength: 200 })),
    }),
    bodyLimit: 65_536,
    response: ChannelCheck,
    errors: ['ResourceNotFound', 'LimitExceeded'],
  }),
  verifyChannel: operation({
    method: 'POST',
    path: `${path}/{alias}/verify`,
    access: 'workspace',
    permission: 'bots.update',
    audit: false,
    summary: 'Check an installed channel at its provider',
    description:
      'Records the answer in the state of the channel. Waits at most 10 seconds.',
    params: ofChannel,
    body: closed({}),
    response: ChannelCheck,
    errors: ['ResourceNotFound'],
  }),
  testChannel: operation({
    method: 'POST',
    path: `${path}/{alias}/test`,
    access: 'workspace',
    permission: 'data.write',
    summary: 'Send a test message by a channel',
    description:
      'Sends at once, and stores the message in its conversation. `to`: an address of a person, for ' +
      'channels with `recipient` in their guide. Default: the newest conversation of the channel. ' +
      '`Runtime` has the answer of the provider, with the remedy.',
    params: ofChannel,
    body: closed({
      conversationId: T.Optional(T.String()),
      to: T.Optional(T.String({ minLength: 1, maxLength: 320 })),
      text: T.Optional(T.String({ minLength: 1, maxLength: 1000 })),
    }),
    response: closed({ conversationId: T.String() }),
    errors: ['ResourceNotFound', 'Runtime'],
  }),
}
