// What official software takes for granted about the server: errors whose type, code or words it reads, and behaviour that no document states.
// Collected from the public sources of August 2026. The report lists them; a test checks that each names a test that exists.

export interface Assumption {
  /** The software whose sources show it. */
  who: string
  situation: string
  /** What its code looks for or relies on. */
  expects: string
  /** What this server answers. */
  answer: string
  /** The file, and the beginning of the test's name. */
  test: [file: string, name: string]
}

const tests = 'packages/server/test'
const official = `${tests}/official-assumptions.test.ts`
const missing: [string, string] = [official, 'a missing thing is ResourceNotFound']
const notFound = 'type `ResourceNotFound`, code 404, and `… was not found`'
const noState =
  'type `ResourceNotFound`, code 404, `No State found: state "…" of integration "…" was not found`'

export const errorAssumptions: Assumption[] = [
  {
    who: 'telegram, dropbox',
    situation: 'a state is missing',
    expects: 'the message contains `not found`; otherwise the error is thrown again',
    answer: noState,
    test: [`${tests}/states.test.ts`, 'names a missing state in the words that integrations look for'],
  },
  {
    who: 'zapier',
    situation: 'a state is missing',
    expects: 'type `ResourceNotFound`, or exactly the message `No State found`',
    answer: noState,
    test: [`${tests}/states.test.ts`, 'names a missing state in the words that integrations look for'],
  },
  {
    who: 'googlecalendar, jira, zendesk; plugins that read a state of the bot',
    situation: 'a state is missing',
    expects: 'type `ResourceNotFound`',
    answer: noState,
    test: missing,
  },
  {
    who: 'hubspot, monday',
    situation: 'a state is missing',
    expects: 'code 404',
    answer: noState,
    test: missing,
  },
  {
    who: 'zendesk HITL, chat, googledrive',
    situation: 'a user, conversation, message or file is missing',
    expects: 'types `ResourceNotFound` and `ReferenceNotFound`',
    answer: notFound,
    test: missing,
  },
  {
    who: 'gmail',
    situation: '`getOrCreateMessage` with tags of a message in another conversation',
    expects: 'the message contains `already exists for a different conversation`',
    answer: 'type `AlreadyExists`, code 409, with these words and both ids; no public source shows the type',
    test: [official, 'an e-mail that arrives in two threads'],
  },
  {
    who: 'slack (member sync), browser',
    situation: 'too many requests',
    expects: 'type `RateLimited` or status 429, then waits',
    answer: 'type `RateLimited`, code 429',
    test: [`${tests}/rate-limits.test.ts`, 'as many as allowed pass'],
  },
  {
    who: 'twilio, gmail, gsheets, googlecalendar, datadog',
    situation: 'any error of the platform',
    expects: '`error.id` is unique; it serves as a key',
    answer: 'a new id for each error',
    test: missing,
  },
  {
    who: "the SDK's server",
    situation: 'a handler of an integration throws `RuntimeError`',
    expects: 'type, code and message reach the caller of the action',
    answer: 'the same body and code',
    test: [`${tests}/hosted-integrations.test.ts`, 'its actions are called, and what they refuse is told'],
  },
  {
    who: 'hubspot (a wizard URL as message), every `register`',
    situation: '`register` throws `RuntimeError`',
    expects: 'the installation shows the message as `statusReason`',
    answer: '`registration_failed` with the message',
    test: [`${tests}/sdk-integration.test.ts`, 'a registration that fails says why'],
  },
  {
    who: 'CLI',
    situation: 'a look-up before create or update',
    expects: 'type `ResourceNotFound` means that it creates',
    answer: notFound,
    test: [`${tests}/newer-cli.test.ts`, 'integrations are deployed, tried first'],
  },
  {
    who: 'CLI',
    situation: 'an incompatible change of a public package',
    expects: 'type `BreakingChanges`, and a header that bypasses it',
    answer: 'the same',
    test: [`${tests}/integrations.test.ts`, 'what is published is not broken'],
  },
]

export const behaviourAssumptions: Assumption[] = [
  {
    who: 'slack',
    situation: 'a webhook repeats a message that was also forked to a thread',
    expects: 'tags match the message of the same conversation before any other',
    answer: 'the message of the conversation; only without one is another conversation an error',
    test: [official, 'a message forked to a thread'],
  },
  {
    who: 'telegram, slack, clickup, intercom, todoist, instagram, teams',
    situation: 'webhooks come twice, or at the same time',
    expects: '`getOrCreate…` creates once, by all tags or those of `discriminateByTags`',
    answer: 'one per bot, integration and (conversations) channel, under a lock',
    test: [`${tests}/messaging.test.ts`, 'forty who race for one user'],
  },
  {
    who: 'telegram, slack',
    situation: '`getOrCreateUser` or `getOrCreateConversation` with more tags than discriminate',
    expects: 'the other tags and the name are set on what was found',
    answer: 'they are',
    test: [`${tests}/messaging.test.ts`, 'a get-or-create goes by the named tags'],
  },
  {
    who: 'telegram, slack, instagram',
    situation: '`updateUser` with the user as it was read, or with fields that are undefined',
    expects: 'fields that did not change are accepted',
    answer: 'they are',
    test: [official, 'a user is sent back as it was read'],
  },
  {
    who: 'zendesk',
    situation: '`updateUser` for `ctx.botUserId`',
    expects: "the bot's own user exists and takes a name, a picture and the integration's tags",
    answer: 'its id is that of the bot',
    test: [official, 'an integration gives the bot’s own user'],
  },
  {
    who: 'hubspot, zendesk',
    situation: '`configureIntegration({ identifier: null })` in `register` or `unregister`',
    expects: 'it succeeds, also without an identifier',
    answer: 'it does',
    test: [official, 'an identifier is released where none was claimed'],
  },
  {
    who: 'gmail',
    situation: '`getOrSetState` for a state that exists',
    expects: 'the state stays as it is',
    answer: 'it does',
    test: [official, 'getOrSetState keeps what is there'],
  },
  {
    who: 'every integration',
    situation: '`setState` for an upgraded integration with the new version as id',
    expects: 'states of `ctx.integrationId` outlive an upgrade, as do webhook and identifier',
    answer: 'they belong to the alias',
    test: [`${tests}/hosted-integrations.test.ts`, 'who is upgraded keeps alias'],
  },
  {
    who: 'gmail, telegram, every OAuth wizard',
    situation: 'a webhook reaches the handler',
    expects: 'lower-case header names, the query as text, the body as text, the path after the webhook id',
    answer: 'the same',
    test: [`${tests}/webhooks.test.ts`, 'its headers: names in lower case'],
  },
  {
    who: 'every integration',
    situation: '`register` runs in `updateBot`',
    expects: 'the version before unregisters first; `register` ends before the answer',
    answer: 'the same',
    test: [`${tests}/bots.test.ts`, 'are replaced by another version'],
  },
]

const columns = 'Who | Situation | Looks for or relies on | Answer | Test'

/** As sections of the report. */
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
    ({ who, situation, expects, answer, test: [file, name] }) =>
      `| ${[who, situation, expects, answer].join(' | ')} | \`${file.split('/').at(-1)}\`: ${name} |`,
  ),
  '',
]
