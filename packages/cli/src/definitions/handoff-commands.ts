// Handoffs of a bot: people answer in its place.
import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import type { Context } from '../server/context.ts'
import { toSummary } from '../terminal/message-summary.ts'
import { formatTime, printDone } from '../terminal/printing.ts'
import { choice, idempotencyKeyOption } from './command-parts.ts'
import { addOperation, addOperationList } from './operation-verbs.ts'
import { addVerb, noun } from './verbs.ts'

export function addHandoffCommands(program: Command): void {
  const handoffs = noun(program, 'handoffs', 'conversations that people answer')
  addOperationList(handoffs, 'list', {
    operation: 'platform.listHandoffs',
    fields: { mine: 'assignedTo' },
    about: 'list handoffs, newest first',
    options: [
      choice('--state <state>', 'only with this state', ['open', 'waiting', 'closed']),
      new Option('--mine', 'only those assigned to you').preset('me'),
    ],
    examples: ['botstead handoffs --state waiting', 'botstead handoffs --mine --json'],
    columns: {
      id: ({ id }) => id,
      requested: ({ requestedAt }) => formatTime(requestedAt),
      state: ({ state, outcome }) => outcome ?? state,
      reason: ({ reason }) => reason,
      'last message': ({ lastMessage }) => toSummary(lastMessage),
    },
  })
  addVerb(handoffs, 'take <id>', {
    about: 'assign a waiting handoff to you',
    examples: ['botstead handoffs take handoff_01K…'],
    run: async ({ client, options }, id) => {
      const { account } = await client.admin.getAccount()
      const body = { from: null, to: account.id }
      const { handoff } = await client.platform.assignHandoff({
        params: { id: id! },
        body,
      })
      printDone(`Took ${id}`, handoff, options)
    },
  })
  addVerb(handoffs, 'answer <id> <text>', {
    about:
      'send a text to the user, under your name; the handoff must be assigned to you',
    options: [idempotencyKeyOption()],
    examples: ['botstead handoffs answer handoff_01K… "Hello, how can I help?"'],
    async run(
      { client, options }: Context<{ idempotencyKey?: string }>,
      id: string,
      text: string,
    ) {
      const body = { type: 'text', payload: { text } }
      const { retry } = await import('../server/server-client.ts')
      const headers = { 'idempotency-key': options.idempotencyKey ?? randomUUID() }
      const { message } = await retry(4, () =>
        client.platform.answerHandoff({ params: { id }, body }, { headers }),
      )
      printDone(`Sent ${message.id}`, message, options)
    },
  })
  addOperation(handoffs, 'close <id>', {
    operation: 'platform.closeHandoff',
    about: 'close a handoff; the bot receives the conversation again',
    options: [
      choice(
        '--outcome <outcome>',
        'returned: the bot continues; solved: nothing is left to do',
        ['returned', 'solved'],
      ).default('returned'),
    ],
    examples: ['botstead handoffs close handoff_01K… --outcome solved'],
    done: ({ outcome }, id) => `Closed ${id} as ${outcome}`,
  })
}
