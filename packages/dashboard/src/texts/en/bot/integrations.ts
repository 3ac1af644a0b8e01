import { inLanguage } from '../../in-language.ts'
import { amount, thousands } from '../amount.ts'

export const integrations = inLanguage('integrations', {
  title: 'Integrations',
  empty: 'No integrations',
  emptyHint: 'An integration connects the bot to a channel or a service.',
  install: 'Install integration',
  search: 'Search by name',
  hub: 'For all workspaces',
  hubHint: 'The server or another workspace offers it to all workspaces',
  own: 'Of this workspace',
  ownedHint: 'Deployed to this workspace',
  installedAs: (aliases: string) => `Installed as ${aliases}`,
  ownHint:
    'For a channel or service that is not in this list, deploy its integration from its sources: ' +
    'run `bp deploy` in the folder of its project. ' +
    'bp is the command line of the Botpress SDK (npm install @botpress/cli).',
  ownDocs: 'Deploy integrations',
  newestHint:
    'The list shows the newest version of each integration. An installed integration ' +
    'keeps its version, and needs no update.',
  appearanceLater: 'Set name, colours and greeting afterwards on the page Webchat.',
  appearanceDisabled: (page: string) =>
    'While the integration is disabled, the chat does not have its appearance. Enable it to change ' +
    `name, colours, greeting and suggested questions on the page ${page}.`,
  appearance: (page: string) =>
    'The chat has one appearance for its page and all websites. Name, colours, greeting and suggested ' +
    `questions are on the page ${page}.`,
  nothing: 'No integration found',
  noneYet: 'There are no integrations yet.',
  moreFound: 'There are more: search for a part of the name.',
  alias: 'Alias',
  aliasHint: 'Its name in this bot; it cannot change later.',
  aliasInvalid: 'An alias has at least one character, and no colon.',
  aliasUsed: 'This bot has an integration with this alias. Choose another one.',
  installed: (title: string) => `${title} was installed`,
  installNow: 'Install',
  back: 'Back',
  disabled: 'Disabled',
  enabled: 'Enabled',
  statuses: {
    registration_pending: 'Getting ready',
    registered: 'Ready',
    registration_failed: 'Registration failed',
    unregistration_pending: 'Unregistering',
    unregistered: 'Not registered',
    unregistration_failed: 'Unregistration failed',
  },
  statusHints: {
    registration_pending: 'The integration is setting up its connection',
    registered: 'The integration accepted its configuration and works',
    registration_failed: 'The integration rejected its configuration: see its page',
    unregistration_pending: 'The integration is closing its connection',
    unregistered: 'The integration has no connection now',
    unregistration_failed: 'The integration could not close its connection: see its page',
  },
  disabledHint: 'The bot neither receives nor sends messages by it',
  isEnabled: 'The integration is enabled',
  isDisabled: 'The integration is disabled',
  isRegistered: 'The integration is registered',
  changed: 'Changed',
  registerAgain: 'Register again',
  registrationFailed: (done: string, reason: string) => `${done}. Reason: ${reason}`,
  noReason: 'The integration gave no reason.',
  version: (version: string) => `version ${version}`,
  builtIn: (major: string) => `built in, version ${major}.x`,
  builtInChat: (major: string) =>
    `built in, for bp chat and the npm package @botpress/chat ${major}.x`,
  webhook: 'Webhook address',
  webhookHint: 'The other service sends its messages for this bot here.',
  chatWebhookHint: 'Clients of the chat send their requests here.',
  configuration: 'Configuration',
  configurationType: 'Type of the configuration',
  usualType: 'Default',
  noConfiguration: 'The integration has no configuration.',
  saved: 'The configuration was saved',
  remove: 'Remove',
  removeTitle: (alias: string) => `Remove ${alias}`,
  removed: (alias: string) => `${alias} was removed`,
  addressStops: 'Its webhook address stops working, and its configuration is deleted.',
  codeNotSearched: 'Code of the bot that calls the integration is not searched.',
  breaks: 'The bot loses its connection. This breaks:',
  breaksNothing:
    'No conversation, user, plugin or reference of this bot depends on the integration.',
  chatStops: 'The chat page and the chat on websites stop working.',
  chatGoesOn: (alias: string) =>
    `The chat page and the chat on websites then use the integration ${alias} and its configuration.`,
  appearanceDeleted:
    'Name, greeting, colours and the list of allowed websites are deleted, also if you install it again.',
  thenEveryWebsite: 'Every website may show the chat then, until you set the list again.',
  conversations: (count: number) => amount(count, 'conversation'),
  users: (count: number) => amount(count, 'user'),
  sandboxConversations: (count: number) =>
    `${amount(count, 'conversation')} of the shared number`,
  schedule: (interval: string) => `Registration: ${interval}`,
  plugin: (alias: string) => `Plugin ${alias}`,
  reference: (path: string) => `Reference ${path}`,
  identifier: 'Shared address',
  setup: 'Set-up',
  setupHint: 'Connects the integration to an account of the third party, in another tab.',
  setUp: 'Connect an account',
  setUpAgain: 'Connect again',
  connectedAs: (identifier: string) => `Connected as ${identifier}`,
  identifierHint:
    'All bots with this integration have this address, too. The identifier in a request routes it to ' +
    'a bot. Most integrations set it themselves when they register.',
  identifierOfBot: 'Identifier of this bot',
  noIdentifier: 'none',
  identifierSaved: 'The identifier was saved',
  identifierRemoved: 'The identifier was removed',
  sandbox: {
    title: 'Shared number',
    hint:
      'Several bots share a number at the third party. A person who sends the shareable id of this ' +
      'bot there talks to it until they send //leave. The id expires after 24 hours.',
    noId: 'This bot has no shareable id.',
    expired: 'The shareable id has expired.',
    create: 'Create shareable id',
    extend: 'Extend by 24 hours',
    linked: 'Linked conversations',
    noneLinked: 'Nobody has sent the shareable id yet.',
    unlink: 'Unlink all',
    unlinkTitle: 'Unlink all conversations?',
    unlinkText:
      'These people stop talking to this bot. They can link themselves again by its shareable id.',
    unlinked: 'The conversations were unlinked',
  },
  requests: 'Last requests',
  requestsHint: 'To the webhook address. The server keeps the last 100.',
  requestsNotRecorded: (page: string) =>
    'The server does not record the requests of this integration. ' +
    `Its messages are on the page ${page}.`,
  noRequests: 'No requests yet',
  time: 'Time',
  request: 'Request',
  status: 'Status',
  duration: 'Duration',
  milliseconds: (ms: number) => `${ms} ms`,
  failed: 'no response',
  replay: 'Repeat',
  replayed: (status: number | undefined) =>
    status === undefined
      ? 'The integration did not respond'
      : `The integration answered ${status}`,
  repeated: 'repeated',
  details: 'Request',
  headers: 'Headers',
  query: 'Query',
  body: 'Body',
  noBody: 'No body',
  binary: (bytes: number) => `Binary content, ${thousands(bytes)} bytes`,
  cut: (bytes: number) => `The beginning of ${thousands(bytes)} bytes`,
  response: 'Response',
})
