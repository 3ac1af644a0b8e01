// Assumptions of official software about the server: errors of which it reads the type, code or
// message, and behaviour that no document states. Collected from its public sources in August 2026.
// The report lists them. A test checks that each refers to an existing test.

interface Assumption {
  /** The software with this assumption in its sources. */
  software: string
  situation: string
  /** The response or behaviour that the software relies on. */
  expects: string
  /** The response or behaviour of this server. */
  answer: string
  /** The file and the beginning of the test's title. */
  test: [file: string, name: string]
}

const tests = 'packages/server/test'
const official = `${tests}/official/official-assumptions.test.ts`
const missing: [string, string] = [official, 'returns ResourceNotFound with code 404']
const notFound = 'type `ResourceNotFound`, code 404, and `… was not found`'
const noState =
  'type `ResourceNotFound`, code 404, `No State found: state "…" of integration "…" was not found`'

export const errorAssumptions: Assumption[] = [
  {
    software: 'telegram, dropbox',
    situation: 'a state is missing',
    expects:
      'the message contains `not found`; otherwise the software rethrows the error',
    answer: noState,
    test: [
      'packages/server/src/core/workflows/states/states.test.ts',
      '%s: the error for a missing state contains the words that integrations search for',
    ],
  },
  {
    software: 'zapier',
    situation: 'a state is missing',
    expects: 'type `ResourceNotFound`, or exactly the message `No State found`',
    answer: noState,
    test: [
      'packages/server/src/core/workflows/states/states.test.ts',
      '%s: the error for a missing state contains the words that integrations search for',
    ],
  },
  {
    software: 'googlecalendar, jira, zendesk; plugins that read a state of the bot',
    situation: 'a state is missing',
    expects: 'type `ResourceNotFound`',
    answer: noState,
    test: missing,
  },
  {
    software: 'hubspot, monday',
    situation: 'a state is missing',
    expects: 'code 404',
    answer: noState,
    test: missing,
  },
  {
    software: 'zendesk HITL, chat, googledrive',
    situation: 'a user, conversation, message or file is missing',
    expects: 'types `ResourceNotFound` and `ReferenceNotFound`',
    answer: notFound,
    test: missing,
  },
  {
    software: 'gmail',
    situation: '`getOrCreateMessage` with tags of a message in another conversation',
    expects: 'the message contains `already exists for a different conversation`',
    answer:
      'type `AlreadyExists`, code 409, with these words and both ids; no public source shows the type',
    test: [official, 'reports an e-mail that exists in another thread'],
  },
  {
    software: 'slack (member sync), browser',
    situation: 'too many requests',
    expects: 'type `RateLimited` or status 429, then waits',
    answer: 'type `RateLimited`, code 429',
    test: [
      'packages/server/src/core/http/limits/rate-limits.test.ts',
      'accepts the allowed number and rejects one more',
    ],
  },
  {
    software: 'twilio, gmail, gsheets, googlecalendar, datadog',
    situation: 'any error of the platform',
    expects: '`error.id` is unique; the software uses it as a key',
    answer: 'a new id for each error',
    test: missing,
  },
  {
    software: "the SDK's server",
    situation: 'a handler of an integration throws `RuntimeError`',
    expects: 'type, code and message reach the caller of the action',
    answer: 'the same body and code',
    test: [
      `${tests}/app/hosted-integrations.test.ts`,
      'calls actions, and reports runtime errors',
    ],
  },
  {
    software: 'hubspot (a wizard URL as message), every `register`',
    situation: '`register` throws `RuntimeError`',
    expects: 'the installation shows the message as `statusReason`',
    answer: '`registration_failed` with the message',
    test: [
      `${tests}/official/sdk-integration.test.ts`,
      'reports why a registration fails',
    ],
  },
  {
    software: 'CLI',
    situation: 'a lookup before create or update',
    expects: 'type `ResourceNotFound`; then the CLI creates the package',
    answer: notFound,
    test: [
      `${tests}/official/newer-cli.test.ts`,
      'validates and deploys integrations twice',
    ],
  },
  {
    software: 'CLI',
    situation: 'an incompatible change of a public package',
    expects: 'type `BreakingChanges`, and a header that bypasses it',
    answer: 'the same',
    test: [
      'packages/server/src/core/catalog/integrations/integrations.test.ts',
      'rejects breaking changes of a published version',
    ],
  },
]

export const behaviourAssumptions: Assumption[] = [
  {
    software: 'slack',
    situation: 'a repeated webhook for a message that was also forked to a thread',
    expects: 'tags match the message of the same conversation before any other',
    answer:
      'the message of the conversation; only without one is another conversation an error',
    test: [official, 'finds the channel’s message for a repeated webhook'],
  },
  {
    software: 'telegram, slack, clickup, intercom, todoist, instagram, teams',
    situation: 'duplicate or concurrent webhooks',
    expects: '`getOrCreate…` creates once, by all tags or those of `discriminateByTags`',
    answer: 'one per bot, integration and (conversations) channel, under a lock',
    test: [
      'packages/server/src/core/messaging/messaging.test.ts',
      'forty concurrent get-or-create calls',
    ],
  },
  {
    software: 'telegram, slack',
    situation:
      '`getOrCreateUser` or `getOrCreateConversation` with tags beyond `discriminateByTags`',
    expects: 'the other tags and the name are set on the existing object',
    answer: 'they are',
    test: [
      'packages/server/src/core/messaging/messaging.test.ts',
      'get-or-create matches by the named tags only',
    ],
  },
  {
    software: 'telegram, slack, instagram',
    situation: '`updateUser` with the unchanged user, or with undefined fields',
    expects: 'unchanged fields are accepted',
    answer: 'they are',
    test: [official, 'accepts a user as it was returned'],
  },
  {
    software: 'zendesk',
    situation: '`updateUser` for `ctx.botUserId`',
    expects:
      "the bot's own user exists and takes a name, a picture and the integration's tags",
    answer: 'its id is that of the bot',
    test: [official, 'lets an integration set picture, name and its tags'],
  },
  {
    software: 'hubspot, zendesk',
    situation:
      '`configureIntegration({ identifier: null })` in `register` or `unregister`',
    expects: 'the call succeeds, even without an identifier',
    answer: 'it does',
    test: [official, 'accepts the release of an identifier'],
  },
  {
    software: 'gmail',
    situation: '`getOrSetState` for a state that exists',
    expects: 'the state stays unchanged',
    answer: 'it does',
    test: [official, 'keeps the existing state in getOrSetState'],
  },
  {
    software: 'every integration',
    situation: '`setState` for an upgraded integration with the new version as id',
    expects:
      'states of `ctx.integrationId` outlive an upgrade, as do webhook and identifier',
    answer: 'they belong to the alias',
    test: [
      `${tests}/app/hosted-integrations.test.ts`,
      'keeps alias, webhook, identifier and state in an upgrade',
    ],
  },
  {
    software: 'gmail, telegram, every OAuth wizard',
    situation: 'a webhook reaches the handler',
    expects:
      'lower-case header names, the query as text, the body as text, the path after the webhook id',
    answer: 'the same',
    test: [
      'packages/server/src/core/delivery/webhooks.test.ts',
      'its headers: names in lower case',
    ],
  },
  {
    software: 'every integration',
    situation: '`register` runs in `updateBot`',
    expects:
      'the previous version unregisters first; `register` ends before the response',
    answer: 'the same',
    test: [
      'packages/server/src/core/bots/bots.test.ts',
      'are replaced by another version',
    ],
  },
]

const columns = 'Software | Situation | Expects | Answer | Test'

/** Returns the sections of the report, as lines. */
export const assumptionLines = (): string[] => [
  ...section('Errors that official software reads', errorAssumptions),
  ...section('Behaviour that official software relies on', behaviourAssumptions),
]

const section = (title: string, assumptions: Assumption[]) => [
  `## ${title}`,
  '',
  `| ${columns} |`,
  '|---|---|---|---|---|',
  ...assumptions.map(
    ({ software, situation, expects, answer, test: [file, name] }) =>
      `| ${[software, situation, expects, answer].join(' | ')} | \`${file.split('/').at(-1)}\`: ${name} |`,
  ),
  '',
]
