// Handoffs of a bot: people answer in its place.
import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import type { Context } from '../server/context.ts'
import { toSummary } from '../terminal/message-summary.ts'
import { formatTime, printDone } from '../terminal/printing.ts'
import { choice, idempotencyKeyOption } from './command-parts.ts'
import { addList, addVerb, noun } from './verbs.ts'

type State = 'open' | 'waiting' | 'closed'
type Outcome = 'returned' | 'solved'

export function addHandoffCommands(program: Command): void {
  const handoffs = noun(program, 'handoffs', 'conversations that people answer')
  addList(handoffs, 'list', {
    scope: 'bot',
    about: 'list handoffs, newest first',
    options: [
      choice('--state <state>', 'only with this state', ['open', 'waiting', 'closed']),
      new Option('--mine', 'only those assigned to you'),
    ],
    examples: ['botstead handoffs --state waiting', 'botstead handoffs --mine --json'],
    read: ({ client, options, pages }: Context<{ state?: State; mine?: boolean }>) =>
      pages(async (page) => {
        const query = { state: options.state, assignedTo: options.mine ? 'me' : undefined, ...page }
        const { handoffs, meta } = await client.platform.listHandoffs({ query })
        return { items: handoffs, ...meta }
      }),
    columns: {
      id: ({ id }) => id,
      requested: ({ requestedAt }) => formatTime(requestedAt),
      state: ({ state, outcome }) => outcome ?? state,
      reason: ({ reason }) => reason,
      'last message': ({ lastMessage }) => toSummary(lastMessage),
    },
  })
  addVerb(handoffs, 'take <id>', {
    scope: 'bot',
    about: 'assign a waiting handoff to you',
    examples: ['botstead handoffs take handoff_01K…'],
    run: async ({ client, options }, id) => {
      const { account } = await client.admin.getAccount()
      const body = { from: null, to: account.id }
      const { handoff } = await client.platform.assignHandoff({ params: { id: id! }, body })
      printDone(`Took ${id}`, handoff, options)
    },
  })
  addVerb(handoffs, 'answer <id> <text>', {
    scope: 'bot',
    about: 'send a text to the user, under your name; the handoff must be assigned to you',
    options: [idempotencyKeyOption()],
    examples: ['botstead handoffs answer handoff_01K… "Hello, how can I help?"'],
    async run({ client, options }: Context<{ idempotencyKey?: string }>, id: string, text: string) {
      const body = { type: 'text', payload: { text } }
      const { retry } = await import('../server/server-client.ts')
      const headers = { 'idempotency-key': options.idempotencyKey ?? randomUUID() }
      const { message } = await retry(4, () =>
        client.platform.answerHandoff({ params: { id }, body }, { headers }),
      )
      printDone(`Sent ${message.id}`, message, options)
    },
  })
  addVerb(handoffs, 'close <id>', {
    scope: 'bot',
    about: 'close a handoff; the bot receives the conversation again',
    options: [
      choice('--outcome <outcome>', 'returned: the bot continues; solved: nothing is left to do', [
        'returned',
        'solved',
      ]).default('returned'),
    ],
    examples: ['botstead handoffs close handoff_01K… --outcome solved'],
    run: async ({ client, options }: Context<{ outcome: Outcome }>, id: string) => {
      const body = { outcome: options.outcome }
      const { handoff } = await client.platform.closeHandoff({ params: { id }, body })
      printDone(`Closed ${id} as ${handoff.outcome}`, handoff, options)
    },
  })
}
