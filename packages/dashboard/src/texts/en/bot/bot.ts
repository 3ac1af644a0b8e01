import { inLanguage } from '../../in-language.ts'
import { amount, thousands } from '../amount.ts'

export const bot = inLanguage('bot', {
  range: 'Range',
  newUsers: 'New users',
  returning: (count: number) => `${thousands(count)} returning. Members are not counted`,
  sessions: 'Sessions',
  sessionsHint: 'Members are counted, too',
  messages: 'Messages',
  split: (user: number, bot: number) =>
    `${thousands(user)} received, ${thousands(bot)} sent. Members are counted, too`,
  failures: 'Failures',
  failuresHint:
    'Events and messages of this range that failed and have not been redelivered',
  cost: 'Cost of models',
  calls: (count: number) => `${amount(count, 'call')}, in US dollars`,
  perDay: 'Messages per day',
  received: 'Received',
  sent: 'Sent',
  noMessages: 'No messages in this range',
  issues: 'Open issues',
  noIssues: 'No open issues',
  occurrences: (count: number) => (count === 1 ? 'once' : `${thousands(count)} times`),
  deployment: 'Deployment',
  deployedAt: 'Deployed',
  loadError: 'The code does not load',
  notDeployed: 'This bot has no code yet',
  notDeployedHint: (page: string) => `Deploy files or a version on the page ${page}.`,
  notDeployedViewer: (page: string) =>
    `A member who may change the bot deploys it on the page ${page}.`,
  atUrl: 'This bot runs at a URL.',
  allIssues: 'All issues',
  allVersions: 'All versions',
  deployments: 'Deployments',
  noVersions: 'No versions yet',
  isRunning: 'running',
  handoffs: {
    title: 'Handoffs',
    inbox: 'Inbox',
    firstAnswer: 'Until the first answer of a person',
    solution: 'Until solved',
    return: 'Until the bot continued',
    none: 'none',
    within: (duration: string, count: number) =>
      `Median of ${thousands(count)}; 95% within ${duration}`,
  },
})
