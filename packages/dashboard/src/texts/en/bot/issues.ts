import { inLanguage } from '../../in-language.ts'
import { amount } from '../amount.ts'

export const issues = inLanguage('issues', {
  title: 'Issues',
  status: 'Status',
  statuses: { open: 'Open', resolved: 'Resolved', muted: 'Muted' },
  empty: 'No issues',
  emptyHint: 'Errors of the bot appear here, one issue for each cause.',
  issue: 'Issue',
  count: 'Occurrences',
  seen: 'Last seen',
  first: 'First seen',
  resolve: 'Resolve',
  mute: 'Mute',
  reopen: 'Reopen',
  changed: (status: string) => `The issue is now “${status}”`,
  occurrences: 'Latest occurrences',
  resolvedByRedelivery:
    'Resolved by the server: all its events were redelivered and handled.',
  resolveHint: 'A resolved issue opens again when it occurs. A muted one stays muted.',
  /** By the code of an issue. */
  explanations: {
    event_refused:
      'The bot answered an event with a status of 400 to 499, so the server does not retry it. Bots of ' +
      '`@botpress/sdk` answer so when their handler throws an error. Fix the cause, then redeliver the ' +
      'event on the page Deliveries.',
    register_failed:
      'After each deployment, the server calls the handler of the bot with the operation `register`, ' +
      'so that the bot can prepare itself. This call failed.',
    integration_not_registered:
      'After an installation, a new configuration or a deployment, the server calls the handler of ' +
      'the integration with the operation `register`, so that the integration can prepare itself, ' +
      'for example by setting its webhook. This call failed.',
  } as Record<string, string>,
  trace: 'Trace',
  logged: 'Error in the log of the latest occurrence',
  conversation: 'Conversation',
  user: 'User',
  stale: 'before the last deployment',
  staleHint: (deployedAt: string) =>
    `Some issues have not occurred since the deployment of ${deployedAt}.`,
  resolveStale: 'Resolve them',
  resolveStaleHint: 'An issue that occurs again opens again.',
  resolvedStale: (count: number) => amount(count, 'issue resolved', 'issues resolved'),
})
