// Broadcasts of a bot: one message to many people.
import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import type { CreateOptions } from '../commands/broadcasts.ts'
import type { Context } from '../server/context.ts'
import { formatTime, printObject } from '../terminal/printing.ts'
import { choice, idempotencyKeyOption } from './command-parts.ts'
import { addOperation, addOperationList } from './operation-verbs.ts'
import { addVerb, noun } from './verbs.ts'

const states = ['waiting', 'sending', 'sent', 'delivered', 'read', 'failed', 'skipped']

export function addBroadcastCommands(program: Command): void {
  const broadcasts = noun(program, 'broadcasts', 'one message to many people')
  addOperationList(broadcasts, 'list', {
    operation: 'platform.listBroadcasts',
    about: 'list broadcasts, newest first',
    examples: ['botstead broadcasts', 'botstead broadcasts --json'],
    columns: {
      id: ({ id }) => id,
      start: ({ startAt }) => formatTime(startAt),
      state: ({ state }) => state,
      name: ({ name }) => name,
    },
  })
  addVerb(broadcasts, 'show <id>', {
    about: 'print a broadcast and the counts of its report',
    examples: ['botstead broadcasts show broadcast_01K…'],
    run: async ({ client, options }, id) => {
      const found = await client.platform.getBroadcast({ params: { id: id! } })
      if (options.json) return printObject(found, options)
      const { audience, message, quietHours: _, ...broadcast } = found.broadcast
      const { skipReasons, ...counts } = found.report
      const channel = `${audience.integration} ${audience.channel}`
      printObject(
        { ...broadcast, channel, type: message.type, ...counts, ...skipReasons },
        options,
      )
    },
  })
  addOperationList(broadcasts, 'recipients <id>', {
    operation: 'platform.listBroadcastRecipients',
    about:
      'list the recipients of a broadcast, with the reasons for those without a message',
    options: [choice('--state <state>', 'only with this state', states)],
    examples: ['botstead broadcasts recipients broadcast_01K… --state failed'],
    columns: {
      user: ({ userId }) => userId,
      state: ({ state }) => state,
      sent: ({ sentAt }) => formatTime(sentAt),
      reason: ({ reason, detail }) => [reason, detail].filter(Boolean).join(': '),
    },
  })
  addVerb(broadcasts, 'create <file>', {
    about:
      'create a broadcast from a JSON or YAML file with the fields of `createBroadcast`',
    options: [
      new Option(
        '--dry-run',
        'count recipients and print the first messages, and send nothing',
      ),
      idempotencyKeyOption(),
    ],
    examples: [
      'botstead broadcasts create spring.yaml --dry-run',
      'botstead broadcasts create spring.yaml',
    ],
    run: async (context: Context<CreateOptions>, file: string) =>
      (await import('../commands/broadcasts.ts')).create(context, file, randomUUID()),
  })
  addOperation(broadcasts, 'stop <id>', {
    operation: 'platform.stopBroadcast',
    about: 'stop a broadcast; no further message is written',
    examples: ['botstead broadcasts stop broadcast_01K…'],
    done: (_, id) => `Stopped ${id}`,
  })
  addOperation(broadcasts, 'resume <id>', {
    operation: 'platform.resumeBroadcast',
    about:
      'continue a stopped or failed broadcast with the people who have no message yet',
    examples: ['botstead broadcasts resume broadcast_01K…'],
    done: (_, id) => `Resumed ${id}`,
  })
}
