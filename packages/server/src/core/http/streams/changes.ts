// Notes of changes (core/realtime/change-feed.ts) after operations that change something. Messages,
// deliveries, issues, logs, rows of tables and calls of models are noted where they are stored.
import type { Operation, Topic } from '@botstead/contract'
import type { BotCaller, Services, WorkspaceCaller } from '../services.ts'

type Values = Record<string, unknown> | undefined
type Performed = Pick<Operation, 'method' | 'path'> & { topics: Topic[] }

/** The object of an operation, as its request names it. */
interface ChangeScope {
  workspaceId?: string | undefined
  botId?: string | undefined
  id?: string | undefined
  targetWorkspaceId?: string | undefined
}

const inBot: Record<string, Topic[]> = {
  conversations: ['conversations'],
  participants: ['conversations'],
  users: ['users'],
  messages: ['messages'],
  events: ['events'],
}
/** By family and group of the operation. */
const topicsByGroup: Record<string, Record<string, Topic[]>> = {
  runtime: inBot,
  chat: inBot,
  webchat: inBot,
  admin: {
    bots: ['bots', 'versions'],
    botVersions: ['bots', 'versions'],
    allowlists: ['bots'],
    botIssues: ['issues'],
    integrations: ['integrations'],
    members: ['members'],
  },
  tables: { tables: ['tables'] },
  files: { files: ['files'], knowledgeBases: ['files'], passages: ['files'] },
  platform: {
    deadLetters: ['deadLetters', 'events'],
    events: ['deadLetters', 'events'],
    invitations: ['members'],
    handoffs: ['handoffs', 'conversations'],
    conversationNotes: ['conversations'],
    cannedReplies: ['handoffs'],
    issues: ['issues'],
    versions: ['versions'],
    installedIntegrations: ['bots'],
    archives: ['archives'],
    knowledge: ['files'],
    knowledgeSources: ['files'],
  },
}

/** Returns the topics that an operation changes. */
export const topicsOf = (
  family: string,
  group: string,
  { method, audit }: Pick<Operation, 'method' | 'audit'>,
): Topic[] => (method === 'GET' || audit === false ? [] : (topicsByGroup[family]?.[group] ?? []))

/** Chat clients choose the ids of users and conversations, not those of messages. */
const hasOwnIds = (path: string) => path.startsWith('/v1/') || path.startsWith('/messages/')

/** Returns the object that a request names. Ids that chat clients chose are left out. */
export function scopeOf(
  { path }: Performed,
  caller: Partial<BotCaller & WorkspaceCaller>,
  { params, body }: { params: Values; body: Values },
): ChangeScope {
  const ofBot = path.startsWith('/v1/admin/bots')
  const botId = ofBot ? params?.id : (params?.botId ?? body?.botId)
  const id = ofBot ? (params?.versionId ?? params?.issueId) : params?.id
  return {
    workspaceId: caller.workspaceId,
    botId: caller.botId ?? textOf(botId),
    id: hasOwnIds(path) ? textOf(id) : undefined,
    targetWorkspaceId: textOf(body?.targetWorkspaceId),
  }
}

/** Afterwards, members may no longer see the bot, but must refresh their lists: it is not named. */
const hidesBot = ({ method, path }: Performed) =>
  path.endsWith('/allowlist') ||
  path === '/v1/admin/bots/{id}/transfer' ||
  (path === '/v1/admin/bots/{id}' && method === 'DELETE')

/** Notes that the operation has changed something. Call it after the commit. */
export function noteChanges(
  { changeFeed }: Services,
  operation: Performed,
  { workspaceId, targetWorkspaceId, ...named }: ChangeScope,
  result: unknown,
): void {
  const made = operation.path.startsWith('/v1/') ? idIn(result) : undefined
  const isNewBot = operation.path === '/v1/admin/bots'
  const botId = isNewBot ? made : named.botId
  const id = isNewBot ? undefined : (named.id ?? made)
  const names = { ...(botId && { botId }), ...(id && id !== botId && { id }) }
  const change = { ...(workspaceId && { workspaceId }), ...(!hidesBot(operation) && names) }
  // Operations of accounts, such as accepting an invitation, note their changes themselves.
  if (!workspaceId && !botId) return
  for (const topic of operation.topics) changeFeed.publish({ topic, ...change })
  if (targetWorkspaceId) changeFeed.publish({ topic: 'bots', workspaceId: targetWorkspaceId })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Returns the id of the object in a response. */
function idIn(result: unknown): string | undefined {
  const object = (result ?? {}) as { id?: unknown }
  const [only, ...others] = Object.values(object)
  const inner = others.length === 0 ? (only as { id?: unknown } | null)?.id : undefined
  return textOf(object.id) ?? textOf(inner)
}
