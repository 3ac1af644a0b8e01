// The queue of a bot: deliveries, failures, issues; and analytics.
import type { Client } from '@botstead/client'
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
  addFailureVerbs(noun(program, 'failures', 'events and messages of a bot that failed'))
  addIssueVerbs(noun(program, 'issues', 'problems of a bot, grouped'))
  addAnalyticsVerbs(noun(program, 'analytics', 'statistics of a bot'))
}

interface FailureFilters {
  kind?: (typeof kinds)[number]
  type?: string
  conversation?: string
  reason?: string
  since?: string
  all?: boolean
  yes?: boolean
}

const failureFilters = () => [
  choice('--kind <kind>', 'only of this kind', kinds),
  new Option('--type <type>', 'only events or messages of this type'),
  new Option('--conversation <id>', 'only of this conversation'),
  new Option('--reason <text>', 'only with this text in the reason'),
  new Option('--since <time>', 'only that failed since: 30s, 10m, 2h, 7d or a date'),
]

const toFilters = ({ kind, type, conversation, reason, since }: FailureFilters) => ({
  ...(kind && { kind }),
  ...(type !== undefined && { type }),
  ...(conversation !== undefined && { conversationId: conversation }),
  ...(reason !== undefined && { reason }),
  ...(since !== undefined && { afterDate: parseSince('--since', since) }),
})

function addFailureVerbs(failures: Command): void {
  addOperationList(failures, 'list', {
    operation: 'platform.listFailures',
    fields: { conversation: 'conversationId', since: 'afterDate' },
    about: 'list everything that failed, newest first',
    options: failureFilters(),
    examples: [
      'botstead failures',
      'botstead failures --reason timeout --since 1d --json',
    ],
    columns: {
      id: ({ id }) => id,
      failed: ({ failedAt }) => formatTime(failedAt),
      kind: ({ kind }) => kind,
      type: ({ type }) => type,
      attempts: ({ attempts }) => attempts,
      'retried automatically': toRetry,
      reason: ({ reason }) => reason,
    },
    empty:
      'Nothing has failed. See also: botstead issues, botstead logs, botstead deliveries, and ' +
      'botstead trace for a conversation.',
  })
  addVerb(failures, 'show <id>', {
    about: 'print a failure with its attempts',
    examples: ['botstead failures show evt_01K…', 'botstead failures show dlv_01K…'],
    run: async ({ client, options }, id = '') => {
      const params = { id }
      if (id.startsWith('evt_')) {
        const { trace } = await client.platform.getEventTrace({ params })
        return printObject({ ...trace.event, history: trace.failedAttempts }, options)
      }
      const { deadLetter, attempts, ...rest } = await client.platform.getDeadLetter({
        params,
      })
      printObject({ ...deadLetter, history: attempts, ...rest }, options)
    },
  })
  for (const verb of ['redeliver', 'discard'] as const) addChange(failures, verb)
}

function toRetry({
  isRetried,
  nextAttemptAt,
}: {
  isRetried: boolean
  nextAttemptAt?: string
}) {
  if (!isRetried) return 'no'
  return nextAttemptAt ? `yes, ${formatTime(nextAttemptAt)}` : 'yes'
}

const changes = {
  redeliver: { about: 'append failures to the queue again', done: 'Redelivered' },
  discard: { about: 'discard failures', done: 'Discarded' },
}

function addChange(failures: Command, verb: keyof typeof changes): void {
  const { about, done } = changes[verb]
  addVerb<FailureFilters, [string[]?]>(failures, `${verb} [ids...]`, {
    about: `${about}: some, those that match, or with --all every one`,
    options: [
      ...failureFilters(),
      new Option('--all', 'everything that the server does not retry'),
      ...(verb === 'discard' ? [yesOption()] : []),
    ],
    examples: [
      `botstead failures ${verb} evt_01K… dlv_01K…`,
      `botstead failures ${verb} --reason timeout`,
      `botstead failures ${verb} --all`,
    ],
    run: async ({ client, options }, ids = []) => {
      const filters = toFilters(options)
      const ways = [ids.length > 0, options.all === true, Object.keys(filters).length > 0]
      if (ways.filter(Boolean).length !== 1)
        throw new UsageError('pass ids, filters, or --all')
      if (verb === 'discard') {
        const all = options.all ? 'all failures of the bot' : 'all failures that match'
        const { confirm } = await import('../terminal/prompt.ts')
        await confirm(`discards ${ids.length > 0 ? ids.join(', ') : all}`, options)
      }
      const change = client.platform[`${verb}Failures`]
      const count =
        ids.length > 0 ? await changeIds(change, ids) : await changeAll(change, filters)
      printDone(`${done} ${count}`, { count }, options)
    },
  })
}

type Change = Client['platform']['redeliverFailures']

/** Of one request. */
const maxIds = 200

async function changeIds(change: Change, ids: string[]): Promise<number> {
  let count = 0
  for (let at = 0; at < ids.length; at += maxIds)
    count += (await change({ body: { ids: ids.slice(at, at + maxIds) } })).count
  return count
}

/** In steps: an interrupted run continues with those that are left. */
async function changeAll(
  change: Change,
  filters: ReturnType<typeof toFilters>,
): Promise<number> {
  let count = 0
  for (let page: { nextToken?: string } | null = {}; page; ) {
    const result = await change({ body: { ...filters, ...page } })
    count += result.count
    page = result.nextToken ? { nextToken: result.nextToken } : null
  }
  return count
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
      title: ({ title, lastMessage }) =>
        lastMessage ? `${title}: ${lastMessage}` : title,
    },
  })
  addVerb(issues, 'show <id>', {
    about: 'print an issue with its latest occurrences',
    examples: ['botstead issues show issue_01K…'],
    run: async ({ client, options }, id) => {
      const { issue, occurrences } = await client.platform.getIssue({
        params: { id: id! },
      })
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
      new Option('--since <time>', 'first day: an age such as 30d, or a date').default(
        '7d',
      ),
    ],
    examples: ['botstead analytics', 'botstead analytics --since 30d --json'],
    read: async ({ client, botId, options }: Context<{ since: string }>) => {
      const query = {
        startDate: parseSince('--since', options.since),
        endDate: new Date().toISOString(),
      }
      return (await client.admin.getBotAnalytics({ params: { id: botId }, query }))
        .records
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
    examples: [
      'botstead analytics counts',
      'botstead analytics counts --name orders --json',
    ],
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
    examples: [
      'botstead analytics nodes',
      'botstead analytics nodes --flow main --days 7 --json',
    ],
    columns: {
      flow: ({ flow }) => flow,
      node: ({ node }) => node,
      passed: ({ passed }) => passed,
      ended: ({ ended }) => ended,
    },
  })
}
