// Channels of a bot: messengers that come with the server, and other integrations of the hub.
import { type Command, Option } from 'commander'
import type { ChannelStatus } from '../commands/channels.ts'
import { formatTime, printDone } from '../terminal/printing.ts'
import { addList, addVerb, noun } from './verbs.ts'

interface AddOptions {
  set?: string[]
  alias?: string
}

export function addChannelCommands(program: Command): void {
  const channels = noun(program, 'channels', 'messengers and other channels of a bot')
  addList(channels, 'list', {
    about:
      'list the channels that the bot has; the state is that of the registration or connection',
    examples: ['botstead channels', 'botstead channels --bot bot_01K… --json'],
    read: async ({ client, botId }) => {
      const { toListed } = await import('../commands/channels.ts')
      const { bot } = await client.admin.getBot({ params: { id: botId } })
      return Object.entries(bot.integrations).map(([alias, one]) => toListed(alias, one))
    },
    columns: {
      alias: ({ alias }) => alias,
      channel: ({ title, name }) => title || name,
      state: ({ enabled, status }) => (enabled ? status : 'disabled'),
      webhook: ({ webhookUrl }) => webhookUrl,
      reason: ({ statusReason }) => statusReason ?? '',
    },
  })
  addStatus(channels)
  addTest(channels)
  addList(channels, 'steps <channel>', {
    about:
      'list the steps of connecting a channel, and its frequent problems with their remedies',
    examples: [
      'botstead channels steps telegram',
      'botstead channels steps slack --json',
    ],
    read: async ({ client, botId }, name) => {
      const params = { botId, name: name!.toLowerCase() }
      const { guide } = await client.platform.getChannelGuide({ params, query: {} })
      return [
        ...guide.steps.map((step) => ({ kind: 'step', ...step })),
        ...guide.laterSteps.map((step) => ({ kind: 'after adding', ...step })),
        ...guide.problems.map(({ problem, remedy }) => ({
          kind: 'problem',
          title: problem,
          text: remedy,
        })),
      ]
    },
    columns: {
      kind: ({ kind }) => kind,
      title: ({ title }) => title,
      text: ({ text }) => text,
    },
  })
  addList(channels, 'settings <channel>', {
    about: 'list the settings of a channel, and where the provider shows their values',
    examples: ['botstead channels settings telegram'],
    read: async ({ client }, channel) => {
      const { findChannel } = await import('../commands/channels.ts')
      return (await findChannel(client, channel!)).settings
    },
    columns: {
      name: ({ name }) => name,
      required: ({ isRequired }) => (isRequired ? 'required' : 'optional'),
      title: ({ title }) => title,
      description: ({ description }) => description,
    },
  })
  addVerb<AddOptions>(channels, 'add <channel>', {
    about:
      'connect the bot with a messenger, or change all settings of a channel; fails with the reason',
    options: [
      new Option(
        '--set <name=value>',
        'a setting of the channel, once for each; the value - is read from standard input to its end',
      ).argParser((text: string, all: string[] = []) => [...all, text]),
      new Option(
        '--alias <alias>',
        'its name in the bot, by default that of the channel',
      ),
    ],
    examples: [
      'botstead channels add telegram --set botToken=-',
      'botstead channels add telegram --set botToken=110201543:AAH… --bot bot_01K…',
    ],
    run: async (context, name) => {
      const { addChannel } = await import('../commands/channels.ts')
      const { options } = context
      const added = await addChannel(context, name!, options)
      const done = `${added.title} is connected. Webhook address: ${added.webhookUrl}`
      printDone(done, added, options)
    },
  })
  addVerb(channels, 'remove <alias>', {
    about: 'disconnect a channel; its conversations stay',
    deletes: { effect: (alias) => `disconnects the channel ${alias}` },
    examples: ['botstead channels remove telegram --yes'],
    run: async ({ client, botId, options }, alias) => {
      const { removeChannel } = await import('../commands/channels.ts')
      await removeChannel(client, botId, alias!)
      printDone(`${alias} is disconnected`, { alias }, options)
    },
  })
}

const addStatus = (channels: Command) =>
  addList<ChannelStatus, { check?: boolean }>(channels, 'status [alias]', {
    about:
      'show whether channels work: state and since when, last messages in and out, last error with its ' +
      'remedy; times are in UTC',
    options: [new Option('--check', 'ask the providers first; takes up to 10 seconds')],
    examples: ['botstead channels status', 'botstead channels status telegram --check'],
    read: async (context, alias) => {
      const { readStates } = await import('../commands/channels.ts')
      return readStates(context, alias, context.options)
    },
    columns: {
      alias: ({ alias }) => alias,
      state: ({ enabled, status }) => (enabled ? status : 'disabled'),
      since: ({ since }) => formatTime(since),
      by: ({ receivesBy }) => receivesBy,
      'last in': ({ lastReceivedAt }) => formatTime(lastReceivedAt) ?? 'never',
      'last out': ({ lastSentAt }) => formatTime(lastSentAt) ?? 'never',
      trouble: ({ trouble }) => trouble,
    },
  })

const addTest = (channels: Command) =>
  addVerb<{ to?: string; conversation?: string; text?: string }>(
    channels,
    'test <alias>',
    {
      about: 'send a test message by a channel, and wait for the answer of the provider',
      options: [
        new Option(
          '--to <address>',
          'address of a person at the provider, such as a phone number; by default the newest conversation',
        ),
        new Option('--conversation <id>', 'a conversation of the channel').conflicts(
          'to',
        ),
        new Option('--text <text>', 'text of the message'),
      ],
      examples: [
        'botstead channels test telegram',
        'botstead channels test email --to me@example.org',
      ],
      run: async ({ client, botId, options }, alias) => {
        const { to, conversation, text } = options
        const { conversationId } = await client.platform.testChannel({
          params: { botId, alias: alias! },
          body: {
            ...(to !== undefined && { to }),
            ...(conversation !== undefined && { conversationId: conversation }),
            ...(text !== undefined && { text }),
          },
        })
        printDone(
          `The provider has taken the message (${conversationId})`,
          { conversationId },
          options,
        )
      },
    },
  )
