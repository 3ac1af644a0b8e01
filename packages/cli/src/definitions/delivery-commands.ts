// The queue of a bot and its failures: deliveries, dead letters, issues; and analytics.
import { type Command, Option } from 'commander'
import { UsageError } from '../failure.ts'
import type { Context } from '../server/context.ts'
import { formatTime, printDone, printObject } from '../terminal/printing.ts'
import { parseSince } from '../terminal/since.ts'
import { choice, yesOption } from './command-parts.ts'
import { addOperation, addOperationList } from './operation-verbs.ts'
import { addList, addVerb, noun } from './verbs.ts'

const issueStates = ['open', 'resolved', 'muted'] as const
const kinds = ['event', 'message', 'change'] as const

export function addDeliveryCommands(program: Command): void {
  const deliveries = noun(program, 'deliveries', 'pending deliveries to a bot')
  addOperationList(deliveries, 'list', {
    operation: 'platform.listPendingDeliveries',
    about: 'list pending deliveries, in the order of conversations',
    examples: ['botstead deliveries', 'botstead deliveries --json'],
    columns: {
      id: ({ id }) => id,
      created: ({ createdAt }) => formatTime(createdAt),
      kind: ({ kind }) => kind,
      conversation: ({ conversation }) => conversation,
      attempts: ({ attempts }) => attempts,
      'last error': ({ lastError }) => lastError,
    },
  })
  addOperation(deliveries, 'count', {
    operation: 'platform.getQueue',
    about: 'count pending deliveries, and print the age of the oldest',
    examples: ['botstead deliveries count', 'botstead deliveries count --json'],
  })
  addDeadLetterVerbs(noun(program, 'dead-letters', 'deliveries that failed finally'))
  addIssueVerbs(noun(program, 'issues', 'problems of a bot, grouped'))
  addAnalyticsVerbs(noun(program, 'analytics', 'statistics of a bot'))
}

interface DeadLetterFilters {
  kind?: (typeof kinds)[number]
  type?: string
  conversation?: string
  reason?: string
  since?: string
  all?: boolean
  yes?: boolean
}

const deadLetterFilters = () => [
  choice('--kind <kind>', 'only of this kind', kinds),
  new Option('--type <type>', 'only events or messages of this type'),
  new Option('--conversation <id>', 'only of this conversation'),
  new Option('--reason <text>', 'only with this text in the reason'),
  new Option('--since <time>', 'only that failed since: 30s, 10m, 2h, 7d or a date'),
]

const toFilters = ({ kind, type, conversation, reason, since }: DeadLetterFilters) => ({
  ...(kind && { kind }),
  ...(type !== undefined && { type }),
  ...(conversation !== undefined && { conversationId: conversation }),
  ...(reason !== undefined && { reason }),
  ...(since !== undefined && { afterDate: parseSince('--since', since) }),
})

function addDeadLetterVerbs(deadLetters: Command): void {
  addOperationList(deadLetters, 'list', {
    operation: 'platform.listDeadLetters',
    fields: { conversation: 'conversationId', since: 'afterDate' },
    about: 'list dead letters, newest first',
    options: deadLetterFilters(),
    examples: ['botstead dead-letters', 'botstead dead-letters --reason timeout --since 1d --json'],
    columns: {
      id: ({ id }) => id,
      failed: ({ diedAt }) => formatTime(diedAt),
      kind: ({ kind }) => kind,
      type: ({ type }) => type,
      attempts: ({ attempts }) => attempts,
      reason: ({ reason }) => reason,
    },
  })
  addVerb(deadLetters, 'show <id>', {
    about: 'print a dead letter with its attempts',
    examples: ['botstead dead-letters show dl_01K…'],
    run: async ({ client, options }, id) => {
      const { deadLetter, attempts, ...rest } = await client.platform.getDeadLetter({
        params: { id: id! },
      })
      printObject({ ...deadLetter, history: attempts, ...rest }, options)
    },
  })
  for (const verb of ['redeliver', 'discard'] as const) addChange(deadLetters, verb)
}

const changes = {
  redeliver: { about: 'append dead letters to the queue again', done: 'Redelivered' },
  discard: { about: 'delete dead letters', done: 'Discarded' },
}

function addChange(deadLetters: Command, verb: keyof typeof changes): void {
  const { about, done } = changes[verb]
  addVerb(deadLetters, `${verb} [id]`, {
    about: `${about}: one, those that match, or with --all every one`,
    options: [
      ...deadLetterFilters(),
      new Option('--all', 'every dead letter of the bot'),
      ...(verb === 'discard' ? [yesOption()] : []),
    ],
    examples: [
      `botstead dead-letters ${verb} dl_01K…`,
      `botstead dead-letters ${verb} --reason timeout`,
      `botstead dead-letters ${verb} --all`,
    ],
    run: async ({ client, options }: Context<DeadLetterFilters>, id: string | undefined) => {
      const body = toFilters(options)
      const isFiltered = Object.keys(body).length > 0
      if ([id !== undefined, options.all === true, isFiltered].filter(Boolean).length !== 1)
        throw new UsageError('pass an id, filters, or --all')
      if (verb === 'discard') {
        const all = options.all ? 'all dead letters of the bot' : 'all dead letters that match'
        const { confirm } = await import('../terminal/prompt.ts')
        await confirm(`deletes ${id === undefined ? all : `the dead letter ${id}`}`, options)
      }
      const { platform } = client
      if (id !== undefined) {
        const params = { id }
        await (verb === 'redeliver'
          ? platform.redeliverDeadLetter({ params, body: {} })
          : platform.discardDeadLetter({ params }))
        return printDone(`${done} ${id}`, { count: 1 }, options)
      }
      const change =
        verb === 'redeliver' ? platform.redeliverDeadLetters : platform.discardDeadLetters
      let count = 0
      for (let hasMore = true; hasMore; ) {
        const result = await change({ body: { ...body, maxCount: 1000 } })
        count += result.count
        hasMore = result.hasMore === true
      }
      printDone(`${done} ${count}`, { count }, options)
    },
  })
}

function addIssueVerbs(issues: Command): void {
  addOperationList(issues, 'list', {
    operation: 'platform.listIssues',
    about: 'list issues, those that occurred last first',
    options: [choice('--status <status>', 'only with this status', issueStates)],
    examples: ['botstead issues', 'botstead issues --status open --json'],
    columns: {
      id: ({ id }) => id,
      'last seen': ({ lastSeenAt }) => formatTime(lastSeenAt),
      status: ({ status }) => status,
      count: ({ eventsCount }) => eventsCount,
      title: ({ title, lastMessage }) => (lastMessage ? `${title}: ${lastMessage}` : title),
    },
  })
  addVerb(issues, 'show <id>', {
    about: 'print an issue with its latest occurrences',
    examples: ['botstead issues show issue_01K…'],
    run: async ({ client, options }, id) => {
      const { issue, occurrences } = await client.platform.getIssue({ params: { id: id! } })
      printObject({ ...issue, occurrences }, options)
    },
  })
  for (const [verb, status] of Object.entries({
    resolve: 'resolved',
    mute: 'muted',
    reopen: 'open',
  }))
    addOperation(issues, `${verb} <id>`, {
      operation: 'platform.updateIssue',
      values: { status },
      about: `set the status of an issue to "${status}"`,
      examples: [`botstead issues ${verb} issue_01K…`],
      done: (issue) => `${issue.id} is ${issue.status}`,
    })
}

function addAnalyticsVerbs(analytics: Command): void {
  addList(analytics, 'list', {
    about: 'print the daily statistics of a bot',
    options: [
      new Option('--since <time>', 'first day: an age such as 30d, or a date').default('7d'),
    ],
    examples: ['botstead analytics', 'botstead analytics --since 30d --json'],
    read: async ({ client, botId, options }: Context<{ since: string }>) => {
      const query = {
        startDate: parseSince('--since', options.since),
        endDate: new Date().toISOString(),
      }
      return (await client.admin.getBotAnalytics({ params: { id: botId }, query })).records
    },
    columns: {
      day: ({ startDateTimeUtc }) => startDateTimeUtc.slice(0, 10),
      'new users': ({ newUsers }) => newUsers,
      returning: ({ returningUsers }) => returningUsers,
      sessions: ({ sessions }) => sessions,
      'from users': ({ userMessages }) => userMessages,
      'from bot': ({ botMessages }) => botMessages,
      events: ({ events }) => events,
      'model calls': ({ llm }) => llm.calls,
    },
  })
  addOperationList(analytics, 'counts', {
    operation: 'platform.listAnalytics',
    about: 'list the counts that the bot tracked, by hour, newest first',
    options: [new Option('--name <name>', 'only of this name')],
    examples: ['botstead analytics counts', 'botstead analytics counts --name orders --json'],
    columns: {
      hour: ({ hour }) => formatTime(hour),
      count: ({ count }) => count,
      name: ({ name }) => name,
    },
  })
  addOperationList(analytics, 'nodes', {
    operation: 'platform.listFlowNodeCounts',
    about: 'list how many conversations passed each node of the flows, and ended there',
    options: [
      new Option('--flow <name>', 'only nodes of this flow'),
      new Option('--days <number>', 'of so many days, with today (UTC)').default('30'),
    ],
    examples: ['botstead analytics nodes', 'botstead analytics nodes --flow main --days 7 --json'],
    columns: {
      flow: ({ flow }) => flow,
      node: ({ node }) => node,
      passed: ({ passed }) => passed,
      ended: ({ ended }) => ended,
    },
  })
}
