// The permissions of each workspace role. `core/http/authenticate.ts` checks them for personal access
// tokens. Keys of bots and integrations have no role: they may do everything that their bot or
// integration may do.

/**
 * Roles of workspace members, without a linear order: `billing` sees bills but no bots, `viewer`
 * bots.
 */
export const roles = [
  'viewer',
  'billing',
  'developer',
  'manager',
  'administrator',
  'owner',
] as const
export type Role = (typeof roles)[number]

const readers = ['viewer', 'developer', 'manager', 'administrator', 'owner'] as const
const builders = ['developer', 'manager', 'administrator', 'owner'] as const
const managers = ['manager', 'administrator', 'owner'] as const
const administrators = ['administrator', 'owner'] as const
const owners = ['owner'] as const
const billers = ['billing', 'administrator', 'owner'] as const

const table = {
  /** The workspace's profile, its usage, and the caller's membership. */
  'workspace.read': roles,
  'workspace.update': administrators,
  'workspace.delete': owners,
  /** Archives with everything in the workspace. */
  'workspace.archive': administrators,
  /** Preferences that all members share. */
  'preferences.write': builders,
  'members.read': readers,
  /**
   * Members can only grant roles within their own permissions; `accounts/members.ts` enforces this.
   */
  'members.write': administrators,
  'audit.read': managers,
  'billing.read': billers,
  'billing.write': billers,
  /** Usages and quotas. */
  'usage.read': roles,

  /**
   * Bots with an allowlist that includes the member, and their logs, issues, analytics and
   * versions.
   */
  'bots.read': readers,
  /** All bots, regardless of their allowlists. */
  'bots.readAny': administrators,
  'bots.create': builders,
  'bots.update': builders,
  /** Only bots that the member created. */
  'bots.delete': builders,
  'bots.deleteAny': administrators,
  /** Also requires `bots.create` in the target workspace. */
  'bots.transfer': managers,
  'bots.allowlist': administrators,
  /** API keys of bots. */
  'keys.read': readers,
  'keys.write': builders,

  /** Integrations, interfaces and plugins of the workspace, and API keys of integrations. */
  'packages.read': readers,
  'packages.write': builders,

  /** Conversations, messages, users, events, states and workflows of a bot. */
  'data.read': readers,
  'data.write': builders,
  'files.read': readers,
  'files.write': builders,
  'tables.read': readers,
  'tables.write': builders,

  /** The models of a bot, and the calls of models. */
  'models.read': readers,
  /** Calls of models, which may cost money. */
  'models.use': builders,
  /** Providers of models with their keys, and budgets. */
  'models.write': administrators,
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof table
export const permissions: Readonly<Record<Permission, readonly Role[]>> = table

export const may = (role: Role, permission: Permission) => permissions[permission].includes(role)

export const permissionsOf = (role: Role) =>
  (Object.keys(permissions) as Permission[]).filter((permission) => may(role, permission))

/**
 * Checks that the giver has every permission of the role; required to grant a role and to take it
 * away.
 */
export const mayGive = (giver: Role, role: Role) =>
  Object.values(permissions).every((holders) => !holders.includes(role) || holders.includes(giver))

const botAreas: Record<string, 'data' | 'files' | 'tables'> = {
  runtime: 'data',
  platform: 'data',
  newer: 'data',
  files: 'files',
  tables: 'tables',
}

/**
 * Returns the permission that a personal access token needs. Operations inside a bot need `read`
 * for GET and `write` for other methods, unless they declare another permission.
 */
export function permissionFor(
  family: string,
  operation: { access: string; method: string; permission?: Permission | undefined },
): Permission | undefined {
  const area = botAreas[family]
  if (operation.permission || operation.access !== 'bot' || !area) return operation.permission
  return `${area}.${operation.method === 'GET' ? 'read' : 'write'}`
}
