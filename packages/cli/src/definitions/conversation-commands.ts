// Conversations, users and events of a bot.
import { type Command, Option } from 'commander'
import type { Context } from '../server/context.ts'
import { toSummary } from '../terminal/message-summary.ts'
import { formatTime, printObject } from '../terminal/printing.ts'
import { choice } from './command-parts.ts'
import { addOperation, addOperationList } from './operation-verbs.ts'
import { addList, addVerb, noun } from './verbs.ts'

const eventStates = [
  'pending',
  'processed',
  'ignored',
  'failed',
  'scheduled',
  'canceled',
] as const

export function addConversationCommands(program: Command): void {
  const conversations = noun(program, 'conversations', 'conversations of a bot')
  addOperationList(conversations, 'list', {
    operation: 'platform.searchConversations',
    fields: { user: 'userId', errors: 'hasErrors', since: 'afterDate' },
    about: 'list or search conversations, those with the latest activity first',
    options: [
      new Option('--text <words>', 'only with a message that has all these words'),
      new Option('--user <id>', 'only of this user'),
      new Option('--errors', 'only with dead letters or issues'),
      choice('--feedback <kind>', 'only with feedback', ['any', 'positive', 'negative']),
      new Option('--since <time>', 'only active since: 30s, 10m, 2h, 7d or a date'),
    ],
    examples: [
      'botstead conversations',
      'botstead conversations --text "refund" --since 7d --json',
    ],
    columns: {
      id: ({ conversation }) => conversation.id,
      active: ({ conversation }) => formatTime(conversation.updatedAt),
      messages: ({ conversation }) => conversation.messageCount,
      channel: ({ conversation }) => conversation.channel,
      people: ({ participants }) =>
        participants.map(({ name, id }) => name ?? id).join(', '),
      'last message': ({ match, lastMessage }) => toSummary(match ?? lastMessage),
    },
  })
  addList(conversations, 'show <id>', {
    about: 'print the messages of a conversation, oldest first',
    examples: ['botstead conversations show conv_01K…'],
    read: ({ client, pages }, id) =>
      pages(async ({ nextToken }) => {
        const query = nextToken ? { nextToken } : { from: 'start' as const }
        const { messages, meta } = await client.platform.getConversationTranscript({
          params: { id: id! },
          query,
        })
        // `newer` is also present on the last page.
        return {
          items: messages,
          nextToken: messages.length > 0 ? meta.newer : undefined,
        }
      }),
    columns: {
      time: ({ message }) => formatTime(message.createdAt),
      author: ({ author }) => (author.isBot ? 'bot' : (author.name ?? author.id)),
      message: ({ message }) => toSummary(message),
    },
  })
  addVerb(conversations, 'watch <id>', {
    about: 'print new messages of a conversation as they arrive',
    examples: ['botstead conversations watch conv_01K…'],
    run: async (context, id) =>
      (await import('../commands/conversations.ts')).watch(context, id!),
  })
  addVerb(conversations, 'export <id>', {
    about: 'write a conversation to standard output or a file',
    options: [
      choice('--format <format>', 'json, or text with a line for each message', [
        'json',
        'text',
      ]),
      new Option('-o, --output <file>', 'file, by default standard output'),
    ],
    examples: ['botstead conversations export conv_01K… -o conversation.json'],
    run: async (
      context: Context<{ format?: 'json' | 'text'; output?: string }>,
      id: string,
    ) => (await import('../commands/conversations.ts')).exportOne(context, id),
  })
  addUserVerbs(noun(program, 'users', 'users of a bot, and their personal data'))
  addEventVerbs(noun(program, 'events', 'events of a bot'))
}

function addUserVerbs(users: Command): void {
  addOperationList(users, 'list', {
    operation: 'platform.searchUsers',
    about: 'list or search users, newest first',
    options: [
      new Option('--name <words>', 'only with these beginnings of words in the name'),
    ],
    examples: ['botstead users', 'botstead users --name ana --json'],
    columns: {
      id: ({ user }) => user.id,
      created: ({ user }) => formatTime(user.createdAt),
      conversations: ({ conversationCount }) => conversationCount,
      integration: ({ integration }) => integration,
      name: ({ user }) => user.name,
    },
  })
  addVerb(users, 'show <id>', {
    about: 'print a user',
    examples: ['botstead users show user_01K…'],
    run: async ({ client, options }, id) => {
      const { user, ...rest } = await client.platform.getUser({ params: { id: id! } })
      printObject({ ...user, ...rest }, options)
    },
  })
}

function addEventVerbs(events: Command): void {
  addOperationList(events, 'list', {
    operation: 'runtime.listEvents',
    fields: { conversation: 'conversationId', user: 'userId' },
    about: 'list events, newest first',
    options: [
      choice('--status <status>', 'only with this status', eventStates),
      new Option('--type <type>', 'only of this type, such as message_created'),
      new Option('--conversation <id>', 'only of this conversation'),
      new Option('--user <id>', 'only of this user'),
    ],
    examples: [
      'botstead events --status failed',
      'botstead events --conversation conv_01K… --json',
    ],
    columns: {
      id: ({ id }) => id,
      created: ({ createdAt }) => formatTime(createdAt),
      status: ({ status }) => status,
      type: ({ type }) => type,
      conversation: ({ conversationId }) => conversationId,
      reason: ({ failureReason }) => failureReason,
    },
  })
  addOperation(events, 'show <id>', {
    operation: 'runtime.getEvent',
    about: 'print an event with its payload',
    examples: ['botstead events show event_01K…'],
  })
  addOperation(events, 'redeliver <id>', {
    operation: 'platform.redeliverEvent',
    about: 'deliver a failed or processed event to the bot again, as a new event',
    examples: ['botstead events redeliver event_01K…'],
    done: ({ id }) => `Created ${id}`,
  })
}
