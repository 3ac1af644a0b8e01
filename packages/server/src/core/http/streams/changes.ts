// Notes of changes (core/realtime/change-feed.ts) after operations that change something. Messages,
// deliveries, issues, logs, rows of tables and calls of models are noted where they are stored.
import {
  type FamilyName,
  type families,
  listBotParameters,
  type Operation,
  type Topic,
} from '@botstead/contract'
import type { BotCaller, WorkspaceCaller } from '../callers/callers.ts'
import type { HttpServices } from '../services.ts'

type Values = Record<string, unknown> | undefined
type Performed = Pick<Operation, 'method' | 'path'> & { topics: readonly Topic[] }

/** The object of an operation, as its request names it. */
interface ChangeScope {
  workspaceId?: string | undefined
  botId?: string | undefined
  id?: string | undefined
  targetWorkspaceId?: string | undefined
}

/** The groups of a family with operations that are not only GET. */
type ChangingGroups<Served> = {
  [Group in keyof Served as Served[Group] extends Record<string, { method: 'GET' }>
    ? never
    : Group]: readonly Topic[]
}

/**
 * The topics that a group of operations changes: pages with these topics refresh. A new group does
 * not compile without an entry. Empty for data that no page follows.
 */
const topicsByGroup: {
  [Name in FamilyName]: ChangingGroups<(typeof families)[Name]['served']>
} = {
  runtime: {
    conversations: ['conversations'],
    participants: ['conversations'],
    messages: ['messages'],
    users: ['users'],
    events: ['events'],
    states: [],
    workflows: [],
    actions: [],
    integrations: [],
    insights: [],
  },
  chat: {
    conversations: ['conversations'],
    participants: ['conversations'],
    messages: ['messages'],
    users: ['users'],
    events: ['events'],
  },
  webchat: {
    conversations: ['conversations'],
    participants: ['conversations'],
    messages: ['messages'],
    users: ['users'],
    events: ['events'],
    files: [],
    metrics: [],
  },
  live: { conversations: [], messages: ['messages', 'conversations'] },
  admin: {
    account: [],
    tokens: [],
    workspaces: [],
    bots: ['bots', 'versions'],
    botKeys: [],
    botVersions: ['bots', 'versions'],
    botIssues: ['issues'],
    introspection: [],
    integrations: ['integrations'],
    integrationKeys: [],
    members: ['members'],
    allowlists: ['bots'],
    interfaces: [],
    plugins: [],
    billing: [],
    shareableIds: [],
    vrl: [],
  },
  files: { files: ['files'], knowledgeBases: ['files'], passages: ['files'] },
  tables: { tables: ['tables'], rows: [] },
  newer: { billing: [] },
  cognitive: { text: [], media: [] },
  openai: { compatible: [] },
  mcp: { authoring: [], messages: [] },
  platform: {
    deadLetters: ['deadLetters', 'events'],
    failures: ['deadLetters', 'events'],
    events: ['deadLetters', 'events'],
    invitations: ['members'],
    members: [],
    handoffs: ['handoffs', 'conversations'],
    conversations: [],
    conversationNotes: ['conversations'],
    cannedReplies: ['handoffs'],
    broadcasts: ['broadcasts'],
    optOuts: ['broadcasts'],
    channels: ['bots'],
    issues: ['issues'],
    versions: ['versions'],
    documents: [],
    drafts: ['drafts'],
    copilot: ['copilot'],
    queue: ['bots'],
    history: [],
    installedIntegrations: ['bots'],
    builtPackages: ['integrations'],
    webhookRequests: [],
    archives: ['archives'],
    backups: [],
    serverSettings: [],
    knowledge: ['files'],
    knowledgeSources: ['files'],
    curatedAnswers: ['files'],
    missedQuestions: ['files'],
    knowledgeChecks: ['files'],
    tableChanges: [],
    tableImports: [],
    tableViews: [],
    mcp: [],
    models: [],
    personalData: [],
    persons: ['users', 'conversations'],
    redaction: [],
    retention: [],
    security: [],
    sessions: [],
    signIn: [],
  },
}

/** Returns the topics that an operation changes. */
export const listTopics = (
  family: string,
  group: string,
  { method, audit }: Pick<Operation, 'method' | 'audit'>,
): readonly Topic[] => {
  const groups: Record<string, Record<string, readonly Topic[]>> = topicsByGroup
  return method === 'GET' || audit === false ? [] : (groups[family]?.[group] ?? [])
}

/** Chat clients choose the ids of users and conversations, not those of messages. */
const hasOwnIds = (path: string) =>
  path.startsWith('/v1/') || path.startsWith('/messages/')

/** Returns the object that a request names. Ids that chat clients chose are left out. */
export function toScope(
  { path }: Performed,
  caller: Partial<BotCaller & WorkspaceCaller>,
  { params, body }: { params: Values; body: Values },
): ChangeScope {
  const [bot] = listBotParameters({ path })
  const botId = bot === undefined ? body?.botId : params?.[bot]
  const inBot = Object.keys(params ?? {}).findLast(
    (name) => name !== bot && /^id$|Id$/.test(name),
  )
  const id = bot === undefined ? params?.id : inBot && params?.[inBot]
  return {
    workspaceId: caller.workspaceId,
    botId: caller.botId ?? toText(botId),
    id: hasOwnIds(path) ? toText(id) : undefined,
    targetWorkspaceId: toText(body?.targetWorkspaceId),
  }
}

/** Afterwards, members may no longer see the bot, but must refresh their lists: it is not named. */
const hidesBot = ({ method, path }: Performed) =>
  path.endsWith('/allowlist') ||
  path === '/v1/admin/bots/{id}/transfer' ||
  (path === '/v1/admin/bots/{id}' && method === 'DELETE')

/** Notes that the operation has changed something. Call it after the commit. */
export function noteChanges(
  { changeFeed }: HttpServices,
  operation: Performed,
  { workspaceId, targetWorkspaceId, ...named }: ChangeScope,
  result: unknown,
): void {
  const made = operation.path.startsWith('/v1/') ? idIn(result) : undefined
  const isNewBot = operation.path === '/v1/admin/bots'
  const botId = isNewBot ? made : named.botId
  const id = isNewBot ? undefined : (named.id ?? revisionIn(operation, result) ?? made)
  const names = { ...(botId && { botId }), ...(id && id !== botId && { id }) }
  const change = {
    ...(workspaceId && { workspaceId }),
    ...(!hidesBot(operation) && names),
  }
  // Operations of accounts, such as accepting an invitation, note their changes themselves.
  if (!workspaceId && !botId) return
  for (const topic of operation.topics) changeFeed.publish({ topic, ...change })
  if (targetWorkspaceId)
    changeFeed.publish({ topic: 'bots', workspaceId: targetWorkspaceId })
}

/** Pages that have this revision of a draft, such as its author's, need not read it. */
function revisionIn({ method, path }: Performed, result: unknown): string | undefined {
  const { draft, revision } = (result ?? {}) as {
    draft?: { revision: number }
    revision?: number
  }
  if (path.endsWith('/draft') && method === 'PUT') return String(draft?.revision)
  return path.endsWith('/draft/try') ? String(revision) : undefined
}

const toText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Returns the id of the object in a response. */
function idIn(result: unknown): string | undefined {
  const object = (result ?? {}) as { id?: unknown }
  const [only, ...others] = Object.values(object)
  const inner = others.length === 0 ? (only as { id?: unknown } | null)?.id : undefined
  return toText(object.id) ?? toText(inner)
}
