// The permissions of each workspace role. `core/http/callers/authenticate.ts` checks them for personal
// access tokens. Keys of bots and integrations have no role: they may do everything that their bot or
// integration may do.

/**
 * Roles of workspace members, without a linear order: `billing` sees bills but no bots, `viewer`
 * bots. The cloud has all but `agent` and `editor`. These two have only permissions that name them
 * below, so an operation that declares none is forbidden to them.
 */
export const roles = [
  'viewer',
  'agent',
  'editor',
  'billing',
  'developer',
  'manager',
  'administrator',
  'owner',
] as const
export type Role = (typeof roles)[number]

const everyone = [
  'viewer',
  'billing',
  'developer',
  'manager',
  'administrator',
  'owner',
] as const
const readers = ['viewer', 'developer', 'manager', 'administrator', 'owner'] as const
const builders = ['developer', 'manager', 'administrator', 'owner'] as const
const managers = ['manager', 'administrator', 'owner'] as const
const administrators = ['administrator', 'owner'] as const
const owners = ['owner'] as const
const billers = ['billing', 'administrator', 'owner'] as const

/** People who answer users. */
const agents = ['agent'] as const
/** People who write what the bot says and knows. */
const editors = ['editor'] as const

/** With each permission, all roles that have it. `docs/roles.md` shows this table. */
const table = {
  /** The workspace's profile, and preferences that its members share. */
  'workspace.read': everyone,
  /** The caller's own membership. */
  'membership.read': roles,
  /** The profile of the workspace. */
  'workspace.update': administrators,
  /** Deletion of the workspace with everything in it. */
  'workspace.delete': owners,
  /** Archives with everything in the workspace. */
  'workspace.archive': administrators,
  /** Preferences that all members share. */
  'preferences.write': builders,
  /** Members with their roles and addresses, as colleagues see them. */
  'members.list': [...readers, ...agents],
  /** Invitations, and the page of members. */
  'members.read': readers,
  /**
   * Members can only grant roles within their own permissions; `accounts/members.ts` enforces this.
   */
  'members.write': administrators,
  /** The audit log. */
  'audit.read': managers,
  /** Plan, invoices and payment. */
  'billing.read': billers,
  'billing.write': billers,
  /** Usages and quotas. */
  'usage.read': everyone,

  /** Names of the bots with an allowlist that includes the member, and the stream of changes. */
  'bots.list': [...readers, ...agents, ...editors],
  /** Definitions of these bots, their settings, integrations, logs, issues and versions. */
  'bots.read': readers,
  /** Figures of a bot: messages, users, times of answers. */
  'insights.read': [...readers, ...editors],
  /** All bots, regardless of their allowlists. */
  'bots.readAny': administrators,
  /** New bots. */
  'bots.create': builders,
  /** Deployments, settings, secrets and integrations of these bots. */
  'bots.update': builders,
  /** Texts of the drafts of these bots by their keys, in all languages. */
  'texts.read': [...readers, ...editors],
  'texts.write': [...builders, ...editors],
  /** Only bots that the member created. */
  'bots.delete': builders,
  /** All bots that the member sees. */
  'bots.deleteAny': administrators,
  /** Also requires `bots.create` in the target workspace. */
  'bots.transfer': managers,
  /** Allowlists of bots. */
  'bots.allowlist': administrators,
  /** API keys of bots. */
  'keys.read': readers,
  'keys.write': builders,

  /** Integrations, interfaces and plugins of the workspace, and API keys of integrations. */
  'packages.read': readers,
  'packages.write': builders,

  /** Conversations with messages, notes, ratings and handoffs, and their users. */
  'conversations.read': [...readers, ...agents, ...editors],
  /** Answers in place of the bot; handoffs, notes, tags and participants of conversations. */
  'conversations.write': [...builders, ...agents],
  /** Canned replies. */
  'replies.write': [...builders, ...editors],
  /** Everything else about conversations and users, and events, states, workflows and broadcasts. */
  'data.read': readers,
  'data.write': builders,
  /** Curated answers. */
  'answers.read': [...readers, ...agents, ...editors],
  /** New curated answers, such as an answer of a handoff. */
  'answers.create': [...builders, ...agents, ...editors],
  /** Documents, websites, curated answers, missed questions and tests of the knowledge. */
  'knowledge.read': [...readers, ...editors],
  'knowledge.write': [...builders, ...editors],
  /** All files of a bot, also exports of tables and those of conversations. */
  'files.read': readers,
  'files.write': builders,
  /** Tables of a bot, and their rows. */
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

export const may = (role: Role, permission: Permission) =>
  permissions[permission].includes(role)

export const permissionsOf = (role: Role) =>
  (Object.keys(permissions) as Permission[]).filter((permission) => may(role, permission))

/**
 * Checks that the giver has every permission of the role; required to grant a role and to take it
 * away.
 */
export const mayGive = (giver: Role, role: Role) =>
  Object.values(permissions).every(
    (holders) => !holders.includes(role) || holders.includes(giver),
  )

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
  if (operation.permission || operation.access !== 'bot' || !area)
    return operation.permission
  return `${area}.${operation.method === 'GET' ? 'read' : 'write'}`
}
