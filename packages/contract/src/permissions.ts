// Who may do what: the only table of it. `http/authenticate.ts` asks it for every request that a person makes; a bot's or an integration's key is
// not a person, and may do what its bot or integration may.

/** Of a workspace's members. They are not a line: billing sees the bills and nothing of the bots, which a viewer sees. */
export const roles = ['viewer', 'billing', 'developer', 'manager', 'administrator', 'owner'] as const
export type Role = (typeof roles)[number]

const readers = ['viewer', 'developer', 'manager', 'administrator', 'owner'] as const
const builders = ['developer', 'manager', 'administrator', 'owner'] as const
const managers = ['manager', 'administrator', 'owner'] as const
const administrators = ['administrator', 'owner'] as const
const owners = ['owner'] as const
const billers = ['billing', 'administrator', 'owner'] as const

const table = {
  /** What it is called and says of itself, what it is used for, and oneself in it. */
  'workspace.read': roles,
  'workspace.update': administrators,
  'workspace.delete': owners,
  /** What tools remember for all members. */
  'preferences.write': builders,
  'members.read': readers,
  /** Nobody makes others more than they are themselves; that is a rule, and `accounts/members.ts` keeps it. */
  'members.write': administrators,
  'audit.read': managers,
  'billing.read': billers,
  'billing.write': billers,
  /** How much of what is used, and how much there may be. */
  'usage.read': roles,

  /** With their logs, issues, analytics and versions. Which of them, says each bot's allow-list. */
  'bots.read': readers,
  /** Whom a bot's allow-list does not keep out: they also write those lists. */
  'bots.readAny': administrators,
  'bots.create': builders,
  'bots.update': builders,
  /** One's own. */
  'bots.delete': builders,
  'bots.deleteAny': administrators,
  /** Takes `bots.create` in the workspace where the bot goes. */
  'bots.transfer': managers,
  'bots.allowlist': administrators,
  /** Keys with which a bot calls. */
  'keys.read': readers,
  'keys.write': builders,

  /** Integrations, interfaces and plugins of the workspace, and the keys of integrations. */
  'packages.read': readers,
  'packages.write': builders,

  /** Inside a bot: its conversations, messages, users, events, states, workflows. */
  'data.read': readers,
  'data.write': builders,
  'files.read': readers,
  'files.write': builders,
  'tables.read': readers,
  'tables.write': builders,
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof table
export const permissions: Readonly<Record<Permission, readonly Role[]>> = table

export const may = (role: Role, permission: Permission) => permissions[permission].includes(role)

/** Nobody gives more than they have, and nobody takes it from those who have more. */
export const mayGive = (giver: Role, role: Role) =>
  Object.values(permissions).every((holders) => !holders.includes(role) || holders.includes(giver))

const insideBots: Record<string, 'data' | 'files' | 'tables'> = {
  runtime: 'data',
  platform: 'data',
  newer: 'data',
  files: 'files',
  tables: 'tables',
}

/** What a person needs for it: what the operation says, and inside a bot, where it says nothing, to read for a GET and to write for all else. */
export function permissionFor(
  family: string,
  operation: { access: string; method: string; permission?: Permission | undefined },
): Permission | undefined {
  const area = insideBots[family]
  if (operation.permission || operation.access !== 'bot' || !area) return operation.permission
  return `${area}.${operation.method === 'GET' ? 'read' : 'write'}`
}
