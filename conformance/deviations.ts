// Where we differ from the external documents on purpose. A difference that is not listed fails the run, and so does an entry that fits none.
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
  'Dates are accepted in ISO 8601, RFC 1123 and epoch milliseconds; any other text is rejected by name, as it would match nothing'
const leap =
  'JavaScript has no leap seconds, which the format admits; a day alone, RFC 1123 and epoch milliseconds are accepted too'
const dated = ['runtime.listConversations', 'runtime.listMessages', 'runtime.listUsers']
const properties = 'Newer clients give conversations properties and read them back; older ones do not look'
const metadata =
  'The current Chat API has it, and the official client parses it; the external document is of an older one'
const bloc = 'The current Chat API has blocs; the external document is of an older one'
const profiles = ['chat.createUser', 'chat.getOrCreateUser', 'chat.updateUser']
const profile = 'The Runtime API promises bots this limit, and they see the same user'
const stateOperations = [
  'runtime.getState',
  'runtime.setState',
  'runtime.patchState',
  'runtime.getOrSetState',
  'runtime.setStateExpiry',
]
const stateExpiry = 'Newer clients read from a state when it expires; older ones do not look'
const botType = 'Newer clients read what a bot was made with; older ones do not look'

const linked =
  'Bots made with the current kit read from an event which workflow it belongs to; older ones do not look'
const longName =
  'A workflow is shown with a name of at most 200 characters; it is not created with one that could not be shown'
const newWorkflows = ['runtime.createWorkflow', 'runtime.getOrCreateWorkflow']

const currentTask =
  'Deprecated: tasks became workflows. The server has no tasks, so the field would never be set'

const searchBounds = 'The original has these bounds too, and says so where the document cannot'

const lookedFor = { ours: moment, theirs: 'string', reason: date }
const versionName = 'What names a version is shown in a list: it is not empty, and has an end'

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
  ...each(['admin.createBot', 'admin.updateBot', 'admin.getBot'], {
    path: 'response.bot.type',
    ours: '"studio" | "adk" | "desk"',
    theirs: 'unknown',
    reason: botType,
  }),
  ...['query.startDate', 'query.endDate'].map((path) => ({
    operation: 'admin.getBotAnalytics',
    path,
    ...lookedFor,
  })),
  ...['query.timeStart', 'query.timeEnd'].map((path) => ({
    operation: 'admin.getBotLogs',
    path,
    ...lookedFor,
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
    reason: 'Newer clients read from it whether the workflow was created; older ones do not look',
  },
  ...each(newWorkflows, { path: 'body.name', ours: 'string ≤ 200', theirs: 'string', reason: longName }),
  ...each([...newWorkflows, 'runtime.updateWorkflow'], {
    path: 'body.timeoutAt',
    ours: moment,
    theirs: 'string date-time',
    reason: leap,
  }),
  ...each(dated, { path: 'query.afterDate', ours: moment, theirs: 'string', reason: date }),
  ...each(dated, { path: 'query.beforeDate', ours: moment, theirs: 'string', reason: date }),
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
    reason:
      'A tag has at most 500 characters when it is created; it does not grow past that when it is updated',
  }),
  ...each(stateOperations, {
    ...{ path: 'path.id', ours: 'string ≤ 200', theirs: 'string' },
    reason:
      'It is part of a database key, which has a limit; the ids that a state is about have 36 characters at most',
  }),
  ...each(stateOperations, {
    ...{ path: 'path.name', ours: 'string ≤ 200', theirs: 'string' },
    reason:
      'The answer carries the name, and holds no more: a state is not kept under a name that could not be shown',
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
    reason: 'The counts of an hour are added up, and the sum has a limit',
  },
  ...['name', 'id', 'messageId', 'eventId', 'conversationId', 'userId', 'errorId', 'traceId'].map(
    (field) => ({
      operation: 'runtime.captureObservation',
      path: `body.${field}`,
      ours: 'string ≤ 200',
      theirs: 'string',
      reason: 'By this observations are found: it is part of a database key, which has a limit',
    }),
  ),
  {
    operation: 'chat.listenConversation',
    path: 'type',
    ours: 'text/event-stream',
    theirs: 'application/json',
    reason: 'The external document cannot say that the answer is a stream; its service streams as well',
  },
  {
    operation: 'chat.createMessage',
    path: 'body.payload.items[].type',
    ours: '"card"',
    theirs: 'any',
    reason:
      'Current clients require that a card in a carousel says it is one; anything else under that name would break them',
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
  ...each(profiles, { path: 'body.name', ours: 'string ≤ 200', theirs: 'string', reason: profile }),
  ...each(profiles, { path: 'body.pictureUrl', ours: 'string ≤ 40000', theirs: 'string', reason: profile }),
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
      reason: 'It is part of a database key, which has a limit',
    },
  ),
  {
    operation: 'admin.createWorkspace',
    path: 'body.name',
    ours: 'string ≥ 1, ≤ 64',
    theirs: 'string',
    reason:
      'updateWorkspace has this limit; a workspace is not created with a name that it could not be given',
  },
  {
    operation: 'admin.createWorkspaceMember',
    path: 'body.email',
    ours: 'string ≤ 254 email',
    theirs: 'string email',
    reason:
      'Addresses are no longer than that, and by them accounts are found: they are database keys, which have a limit',
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
    ...lookedFor,
  })),
  ...['query.dateFrom', 'query.dateUntil'].map((path) => ({
    operation: 'admin.listUsageActivityDaily',
    path,
    ...lookedFor,
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
    reason: 'Seconds to wait for a bot: none would end every invocation at once, and a day is enough',
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
    reason: 'It counts passages: there are no halves, and a page has at least one',
  },
  {
    operation: 'files.upsertFile',
    path: 'body.size',
    ours: 'integer ≥ 0, ≤ 9007199254740991',
    theirs: 'number',
    reason: 'It counts bytes: there are no halves, and not less than none',
  },
  ...each(['files.upsertFile', 'files.updateFileMetadata'], {
    path: 'body.expiresAt',
    ours: moment,
    theirs: 'string date-time',
    reason: leap,
  }),
]
