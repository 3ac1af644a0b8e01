// Workspaces, members, usage, the audit log and integrations.
import type { Role } from '@botstead/contract'
import { type Command, Option } from 'commander'
import { listIntegrationWarnings } from '../server/integration-warnings.ts'
import { formatTime, printDone, printObject } from '../terminal/printing.ts'
import { choice } from './command-parts.ts'
import { addOperation, addOperationList } from './operation-verbs.ts'
import { addList, addVerb, noun } from './verbs.ts'

/** Listed again, because loading the contract would delay each command. */
const roles = [
  'viewer',
  'agent',
  'editor',
  'billing',
  'developer',
  'manager',
  'administrator',
  'owner',
] as const satisfies readonly Role[]

const roleOption = () =>
  choice('--role <role>', 'role of the member', roles).makeOptionMandatory()

export function addWorkspaceCommands(program: Command): void {
  addWorkspaceVerbs(noun(program, 'workspaces', 'your workspaces'))
  addMemberVerbs(noun(program, 'members', 'members of the workspace'))
  addIntegrationVerbs(
    noun(program, 'integrations', 'integrations of the workspace and of bots'),
  )
  addList(noun(program, 'usage', 'usage of the workspace and its quotas'), 'list', {
    scope: 'workspace',
    about: 'list the usage of this month beside the quotas',
    examples: ['botstead usage', 'botstead usage --json'],
    read: async ({ client, workspaceId }) => {
      const params = { id: workspaceId }
      const { quotas } = await client.admin.listWorkspaceQuotas({ params, query: {} })
      return Promise.all(
        quotas.map(async ({ type, value: quota }) => {
          const { usages } = await client.admin.listWorkspaceUsages({
            params,
            query: { type },
          })
          return { type, used: usages.at(-1)?.value ?? 0, quota }
        }),
      )
    },
    columns: {
      type: ({ type }) => type.replaceAll('_', ' '),
      used: ({ used }) => used,
      quota: ({ quota }) => (quota === Number.MAX_SAFE_INTEGER ? 'unlimited' : quota),
    },
  })
  addOperationList(noun(program, 'audit', 'audit log of the workspace'), 'list', {
    operation: 'platform.listAuditEntries',
    scope: 'workspace',
    about: 'list audit entries, newest first',
    options: [
      new Option('--search <text>', 'part of the operation, target, address or e-mail'),
    ],
    examples: ['botstead audit', 'botstead audit list --search deleteBot --json'],
    columns: {
      number: ({ number }) => number,
      time: ({ recordedAt }) => formatTime(recordedAt),
      account: ({ email, accountId }) => email ?? accountId,
      address: ({ ip }) => ip,
      result: ({ result }) => result,
      operation: ({ operation }) => operation,
      target: ({ targetName, targetId }) => targetName ?? targetId,
    },
  })
}

function addWorkspaceVerbs(workspaces: Command): void {
  addOperationList(workspaces, 'list', {
    operation: 'admin.listWorkspaces',
    scope: 'account',
    about: 'list your workspaces',
    examples: ['botstead workspaces', 'botstead workspaces list --json'],
    columns: {
      id: ({ id }) => id,
      bots: ({ botCount }) => botCount,
      name: ({ name }) => name,
    },
  })
  addOperation(workspaces, 'show', {
    operation: 'admin.getWorkspace',
    scope: 'workspace',
    about: 'print the workspace of --workspace, by default of your profile',
    examples: ['botstead workspaces show --workspace 5f0c…'],
  })
  addOperation(workspaces, 'create <name>', {
    operation: 'admin.createWorkspace',
    scope: 'account',
    about: 'create a workspace that you own, and print its id',
    examples: ['botstead workspaces create "Shop"'],
    // Only the id, so that a script can capture it.
    done: ({ id }) => id,
  })
}

function addMemberVerbs(members: Command): void {
  addOperationList(members, 'list', {
    operation: 'admin.listWorkspaceMembers',
    scope: 'workspace',
    about: 'list the members',
    examples: ['botstead members', 'botstead members --json'],
    columns: {
      id: ({ id }) => id,
      since: ({ createdAt }) => formatTime(createdAt),
      role: ({ role, isPending }) => (isPending ? `${role} (pending)` : role),
      'e-mail': ({ email }) => email,
      address: ({ emailVerified }) => (emailVerified ? 'verified' : 'claimed'),
      name: ({ displayName }) => displayName,
    },
  })
  addOperation(members, 'invite <e-mail>', {
    operation: 'platform.createInvitation',
    fields: { 'e-mail': 'email' },
    scope: 'workspace',
    about:
      'create an invitation; prints only its link, which works once, on standard output',
    options: [roleOption()],
    examples: ['botstead members invite ana@example.org --role developer'],
    done: ({ url }) => url,
  })
  addOperationList(members, 'invitations', {
    operation: 'platform.listInvitations',
    scope: 'workspace',
    about: 'list invitations, also expired ones',
    examples: ['botstead members invitations'],
    columns: {
      id: ({ id }) => id,
      expires: ({ expiresAt }) => formatTime(expiresAt),
      role: ({ role }) => role,
      'e-mail': ({ email }) => email,
    },
  })
  addOperation(members, 'update <id>', {
    operation: 'admin.updateWorkspaceMember',
    scope: 'workspace',
    about: 'change the role of a member',
    options: [roleOption()],
    examples: ['botstead members update member_01K… --role manager'],
    done: ({ email, role }) => `${email} is ${role}`,
  })
  addVerb(members, 'remove <id>', {
    scope: 'workspace',
    about: 'remove a member from the workspace',
    deletes: { effect: (id) => `removes the member ${id} from the workspace` },
    examples: ['botstead members remove member_01K…'],
    run: async ({ client, options }, id) => {
      await client.admin.deleteWorkspaceMember({ params: { id: id! } })
      printDone(`Removed ${id}`, { removed: id }, options)
    },
  })
}

function addIntegrationVerbs(integrations: Command): void {
  addOperationList(integrations, 'list', {
    operation: 'admin.listIntegrations',
    scope: 'workspace',
    about: 'list the integrations of the workspace, all versions',
    options: [new Option('--search <text>', 'only those that contain the text')],
    examples: ['botstead integrations', 'botstead integrations --search mail --json'],
    columns: {
      id: ({ id }) => id,
      updated: ({ updatedAt }) => formatTime(updatedAt),
      visibility: ({ visibility }) => visibility,
      name: ({ name, version }) => `${name}@${version}`,
      title: ({ title }) => title,
    },
  })
  addList(integrations, 'installed', {
    about: 'list the integrations that a bot has installed',
    examples: ['botstead integrations installed --bot bot_01K…'],
    read: async ({ client, botId }) => {
      const { bot } = await client.admin.getBot({ params: { id: botId } })
      return Object.entries(bot.integrations).map(([alias, one]) => ({ alias, ...one }))
    },
    columns: {
      alias: ({ alias }) => alias,
      enabled: ({ enabled }) => (enabled ? 'enabled' : 'disabled'),
      status: ({ status }) => status,
      integration: ({ name, version }) => `${name}@${version}`,
      webhook: ({ webhookUrl }) => webhookUrl,
    },
  })
  addVerb(integrations, 'show <id>', {
    scope: 'workspace',
    about: 'print an integration; the warnings of its deployment on standard error',
    examples: [
      'botstead integrations show int_01K…',
      'botstead integrations show int_01K… --json',
    ],
    run: async ({ client, options }, id) => {
      const { integration } = await client.admin.getIntegration({ params: { id: id! } })
      // A secret; the API returns it.
      const { signingSecret: _, ...shown } = integration
      printObject(shown, options)
      for (const finding of await listIntegrationWarnings(client, integration))
        console.error(finding)
    },
  })
  addOperation(integrations, 'delete <id>', {
    operation: 'admin.deleteIntegration',
    scope: 'workspace',
    about: 'delete a version of an integration that no bot has installed',
    deletes: { effect: (id) => `deletes the integration ${id}` },
    examples: ['botstead integrations delete int_01K…'],
  })
}
