// Intentional differences from the external documents. A difference that is not in this list fails
// the run. So does an entry that matches no difference.
import { roles } from '@botstead/contract'
import type { Difference } from './compare.ts'

export interface Deviation extends Difference {
  /** `runtime.createMessage` */
  operation: string
  reason: string
}

const each = (operations: string[], difference: Omit<Deviation, 'operation'>) =>
  operations.map((operation) => ({ operation, ...difference }))

const moment = 'string moment'
const date =
  'The server accepts dates in ISO 8601, RFC 1123 and epoch milliseconds, and rejects any other text, ' +
  'which would match nothing'
const leap =
  'The format permits leap seconds, which JavaScript does not support; the server also accepts a date ' +
  'without a time, RFC 1123 and epoch milliseconds'
const dated = ['runtime.listConversations', 'runtime.listMessages', 'runtime.listUsers']
const properties =
  'Newer clients set and read properties of conversations; older clients ignore them'
const metadata =
  'The current Chat API has this property, and the official client parses it; the external document ' +
  'describes an older version'
const bloc =
  'The current Chat API has blocs; the external document describes an older version'
const profiles = ['chat.createUser', 'chat.getOrCreateUser', 'chat.updateUser']
const profile = 'The Runtime API has this limit for the same user'
const stateOperations = [
  'runtime.getState',
  'runtime.setState',
  'runtime.patchState',
  'runtime.getOrSetState',
  'runtime.setStateExpiry',
]
const stateExpiry = 'Newer clients read when a state expires; older clients ignore it'
const failures = 'The dashboard shows the failures of a range; clients ignore them'
const botType = 'Newer clients read the tool that created a bot; older clients ignore it'

const claims =
  'Addresses may be merely claimed here, because the server sends no e-mail; clients ignore the fields'
const memberOperations = [
  'createWorkspaceMember',
  'getWorkspaceMember',
  'updateWorkspaceMember',
].map((name) => `admin.${name}`)

const theirRoles = ['viewer', 'billing', 'developer', 'manager', 'administrator', 'owner']
const toUnion = (values: readonly string[]) =>
  values.map((value) => `"${value}"`).join(' | ')
const memberRole = {
  ours: toUnion(roles),
  theirs: toUnion(theirRoles),
  reason:
    'Members may also be agents or editors here, which only people give; clients read roles as text',
}

const linked =
  'Bots that use the current SDK read the workflow of an event; older bots ignore it'
const longName =
  'Responses limit the name of a workflow to 200 characters, so requests have the same limit'
const newWorkflows = ['runtime.createWorkflow', 'runtime.getOrCreateWorkflow']

const currentTask =
  'Deprecated: tasks became workflows. The server has no tasks, so the field would never be set'

const searchBounds =
  'The external service has the same bounds, which it states outside the document'

const dateFilter = { ours: moment, theirs: 'string', reason: date }
const versionName =
  'Lists display the name and description of a version, so they need bounds'

export const deviations: Deviation[] = [
  ...each(stateOperations, {
    path: 'response.state.expiry',
    ours: 'number',
    theirs: 'unknown',
    reason: stateExpiry,
  }),
  ...each(stateOperations, {
    path: 'response.state.expiresAt',
    ours: 'string date-time',
    theirs: 'unknown',
    reason: stateExpiry,
  }),
  ...['response.emailVerified', 'response.isPending'].flatMap((path) =>
    each(memberOperations, { path, ours: 'boolean', theirs: 'unknown', reason: claims }),
  ),
  ...each(memberOperations, { path: 'response.role', ...memberRole }),
  ...each(['admin.listWorkspaceMembers'], {
    path: 'response.members[].role',
    ...memberRole,
  }),
  ...each(['admin.createBot', 'admin.updateBot', 'admin.getBot'], {
    path: 'response.bot.type',
    ours: '"studio" | "adk" | "desk"',
    theirs: 'unknown',
    reason: botType,
  }),
  {
    operation: 'admin.getBotAnalytics',
    path: 'response.records[].failures',
    ours: 'integer',
    theirs: 'unknown',
    reason: failures,
  },
  ...['query.startDate', 'query.endDate'].map((path) => ({
    operation: 'admin.getBotAnalytics',
    path,
    ...dateFilter,
  })),
  ...['query.timeStart', 'query.timeEnd'].map((path) => ({
    operation: 'admin.getBotLogs',
    path,
    ...dateFilter,
  })),
  {
    operation: 'admin.createBotVersion',
    path: 'body.name',
    ours: 'string ≥ 1, ≤ 200',
    theirs: 'string',
    reason: versionName,
  },
  {
    operation: 'admin.createBotVersion',
    path: 'body.description',
    ours: 'string ≤ 2000',
    theirs: 'string',
    reason: versionName,
  },
  ...each(['runtime.createEvent', 'runtime.getEvent'], {
    path: 'response.event.workflowId',
    ours: 'string ≥ 28, ≤ 36',
    theirs: 'unknown',
    reason: linked,
  }),
  {
    operation: 'runtime.listEvents',
    path: 'response.events[].workflowId',
    ours: 'string ≥ 28, ≤ 36',
    theirs: 'unknown',
    reason: linked,
  },
  {
    operation: 'runtime.getOrCreateWorkflow',
    path: 'response.meta',
    ours: 'object',
    theirs: 'unknown',
    reason:
      'Newer clients read whether the workflow was created; older clients ignore it',
  },
  ...each(newWorkflows, {
    path: 'body.name',
    ours: 'string ≤ 200',
    theirs: 'string',
    reason: longName,
  }),
  ...each([...newWorkflows, 'runtime.updateWorkflow'], {
    path: 'body.timeoutAt',
    ours: moment,
    theirs: 'string date-time',
    reason: leap,
  }),
  ...each(dated, {
    path: 'query.afterDate',
    ours: moment,
    theirs: 'string',
    reason: date,
  }),
  ...each(dated, {
    path: 'query.beforeDate',
    ours: moment,
    theirs: 'string',
    reason: date,
  }),
  ...each(
    [
      'runtime.createConversation',
      'runtime.getOrCreateConversation',
      'runtime.getConversation',
      'runtime.updateConversation',
    ],
    {
      path: 'response.conversation.properties',
      ours: 'object',
      theirs: 'unknown',
      reason: properties,
    },
  ),
  ...each(
    [
      'runtime.createConversation',
      'runtime.getOrCreateConversation',
      'runtime.getConversation',
      'runtime.updateConversation',
      'runtime.initializeIncomingMessage',
    ],
    {
      path: 'response.conversation.currentTaskId',
      ours: 'absent',
      theirs: 'optional',
      reason: currentTask,
    },
  ),
  {
    operation: 'runtime.listConversations',
    path: 'response.conversations[].currentTaskId',
    ours: 'absent',
    theirs: 'optional',
    reason: currentTask,
  },
  {
    operation: 'runtime.listConversations',
    path: 'response.conversations[].properties',
    ours: 'object',
    theirs: 'unknown',
    reason: properties,
  },
  ...each(['runtime.updateConversation', 'runtime.updateMessage'], {
    path: 'body.tags.*',
    ours: 'string ≤ 500',
    theirs: 'string',
    reason: 'A new tag has at most 500 characters, so an updated tag has the same limit',
  }),
  ...each(stateOperations, {
    path: 'path.id',
    ours: 'string ≤ 200',
    theirs: 'string',
    reason:
      'The id is part of a database key, which has a maximum length; valid ids have at most 36 characters',
  }),
  ...each(stateOperations, {
    path: 'path.name',
    ours: 'string ≤ 200',
    theirs: 'string',
    reason:
      'Responses limit the name of a state to 200 characters, so requests have the same limit',
  }),
  {
    operation: 'runtime.initializeIncomingMessage',
    path: 'response.conversation.properties',
    ours: 'object',
    theirs: 'unknown',
    reason: properties,
  },
  {
    operation: 'runtime.trackAnalytics',
    path: 'body.count',
    ours: 'integer ≥ 1, ≤ 2147483647',
    theirs: 'integer ≥ 1',
    reason: 'The server adds up the counts of an hour, and the sum has a maximum',
  },
  ...[
    'name',
    'id',
    'messageId',
    'eventId',
    'conversationId',
    'userId',
    'errorId',
    'traceId',
  ].map((field) => ({
    operation: 'runtime.captureObservation',
    path: `body.${field}`,
    ours: 'string ≤ 200',
    theirs: 'string',
    reason:
      'Queries filter by this value: it is part of a database key, which has a maximum length',
  })),
  {
    operation: 'chat.listenConversation',
    path: 'type',
    ours: 'text/event-stream',
    theirs: 'application/json',
    reason:
      'The external document does not express that the response is a stream; the external service ' +
      'streams as well',
  },
  {
    operation: 'chat.createMessage',
    path: 'body.payload.items[].type',
    ours: '"card"',
    theirs: 'any',
    reason:
      'Current clients require the type `card` for the cards of a carousel and fail for any other value',
  },
  ...each(['chat.createMessage', 'chat.getMessage'], {
    path: 'response.message.payload',
    ours: 'object of type "bloc"',
    theirs: 'one of 11 kinds',
    reason: bloc,
  }),
  {
    operation: 'chat.listMessages',
    path: 'response.messages[].payload',
    ours: 'object of type "bloc"',
    theirs: 'one of 11 kinds',
    reason: bloc,
  },
  ...each(['chat.createMessage', 'chat.getMessage'], {
    path: 'response.message.metadata',
    ours: 'object',
    theirs: 'unknown',
    reason: metadata,
  }),
  {
    operation: 'chat.listMessages',
    path: 'response.messages[].metadata',
    ours: 'object',
    theirs: 'unknown',
    reason: metadata,
  },
  ...each(profiles, {
    path: 'body.name',
    ours: 'string ≤ 200',
    theirs: 'string',
    reason: profile,
  }),
  ...each(profiles, {
    path: 'body.pictureUrl',
    ours: 'string ≤ 40000',
    theirs: 'string',
    reason: profile,
  }),
  ...each(
    [
      'admin.getAccountPreference',
      'admin.setAccountPreference',
      'admin.getWorkspacePreference',
      'admin.setWorkspacePreference',
    ],
    {
      path: 'path.key',
      ours: 'string ≤ 200',
      theirs: 'string',
      reason: 'The key is part of a database key, which has a maximum length',
    },
  ),
  {
    operation: 'admin.createWorkspace',
    path: 'body.name',
    ours: 'string ≥ 1, ≤ 64',
    theirs: 'string',
    reason: 'updateWorkspace has this limit, so createWorkspace has the same limit',
  },
  {
    operation: 'admin.createWorkspaceMember',
    path: 'body.email',
    ours: 'string ≤ 254 email',
    theirs: 'string email',
    reason:
      'E-mail addresses are not longer; they are database keys, which have a maximum length',
  },
  {
    operation: 'admin.getIntegrationLogs',
    path: 'query.timeStart',
    ours: moment,
    theirs: 'string',
    reason: date,
  },
  {
    operation: 'admin.getIntegrationLogs',
    path: 'query.timeEnd',
    ours: moment,
    theirs: 'string',
    reason: date,
  },
  ...['query.timestampFrom', 'query.timestampUntil'].map((path) => ({
    operation: 'admin.listUsageActivity',
    path,
    ...dateFilter,
  })),
  ...['query.dateFrom', 'query.dateUntil'].map((path) => ({
    operation: 'admin.listUsageActivityDaily',
    path,
    ...dateFilter,
  })),
  {
    operation: 'admin.listActionRuns',
    path: 'query.timestampFrom',
    ours: moment,
    theirs: 'string',
    reason: date,
  },
  {
    operation: 'admin.listActionRuns',
    path: 'query.timestampUntil',
    ours: moment,
    theirs: 'string',
    reason: date,
  },
  {
    operation: 'admin.updateBot',
    path: 'body.maxExecutionTime',
    ours: 'integer ≥ 1, ≤ 86400',
    theirs: 'integer',
    reason:
      'The time limit of an invocation in seconds: 0 would stop every invocation at once, and one day ' +
      'is enough',
  },
  {
    operation: 'files.searchFiles',
    path: 'query.contextDepth',
    ours: 'integer ≥ 0, ≤ 10',
    theirs: 'integer',
    reason: searchBounds,
  },
  {
    operation: 'files.searchFiles',
    path: 'query.limit',
    ours: 'integer ≥ 1, ≤ 50',
    theirs: 'integer',
    reason: searchBounds,
  },
  {
    operation: 'files.listFilePassages',
    path: 'query.limit',
    ours: 'integer ≥ 1, ≤ 1000',
    theirs: 'number',
    reason:
      'The limit counts passages: it is an integer, and a page has at least one passage',
  },
  {
    operation: 'files.upsertFile',
    path: 'body.size',
    ours: 'integer ≥ 0, ≤ 9007199254740991',
    theirs: 'number',
    reason: 'The size counts bytes: it is an integer and not negative',
  },
  ...each(['files.upsertFile', 'files.updateFileMetadata'], {
    path: 'body.expiresAt',
    ours: moment,
    theirs: 'string date-time',
    reason: leap,
  }),
]
