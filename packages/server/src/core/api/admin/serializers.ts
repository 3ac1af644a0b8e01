// Converts rows to responses of the Admin API: absent instead of null, dates as text, maps always
// present.
import type {
  ApiKey,
  Bot,
  BotSummary,
  Installation,
  PluginInstallation,
  PublicWorkspace,
  Account as ShownAccount,
  Workspace as ShownWorkspace,
  WorkspaceMember,
} from '@botstead/contract'
import type { Account, Member, Token, Workspace, WorkspaceRow } from '../../accounts/index.ts'
import type { ShownBot } from '../../bots/index.ts'
import type { InstalledPlugin, ShownInstallation } from '../../catalog/index.ts'
import { assetUrl } from '../package-assets.ts'
import type { BotView } from './bot-view.ts'
import { toPluginHead } from './packages.ts'

export const toAccount = (row: Account): ShownAccount => ({
  id: row.id,
  email: row.email,
  ...(row.name !== null && { displayName: row.name }),
  emailVerified: row.email_verified_at !== null,
  ...(row.picture_url !== null && { profilePicture: row.picture_url }),
  createdAt: row.created_at.toISOString(),
})

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const toMember = (row: Member): WorkspaceMember => ({
  id: row.account_id,
  ...(uuid.test(row.account_id) && { userId: row.account_id }),
  email: row.email,
  createdAt: row.created_at.toISOString(),
  role: row.role,
  emailVerified: row.email_verified_at !== null,
  ...(row.is_pending ? { isPending: true } : toProfile(row)),
})

/** A person who merely claims an address could choose any name and picture. */
const toProfile = ({ name, picture_url }: Member) => ({
  ...(picture_url !== null && { profilePicture: picture_url }),
  ...(name !== null && { displayName: name }),
})

export const toApiKey = (row: Token): ApiKey => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  note: row.note,
})

export function toPublicWorkspace(row: WorkspaceRow): PublicWorkspace {
  const { about, profilePicture, contactEmail, website, socialAccounts } =
    row.profile as Partial<PublicWorkspace>
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(about !== undefined && { about }),
    ...(profilePicture !== undefined && { profilePicture }),
    ...(contactEmail !== undefined && { contactEmail }),
    ...(website !== undefined && { website }),
    ...(socialAccounts !== undefined && { socialAccounts }),
    ...(row.handle !== null && { handle: row.handle }),
  }
}

/** This server has no billing; clients read the plan fields nevertheless. */
export const toWorkspace = (row: Workspace, botCount: number): ShownWorkspace => ({
  spendingLimit: 0,
  ...(row.profile as Partial<ShownWorkspace>),
  id: row.id,
  name: row.name,
  ...(row.handle !== null && { handle: row.handle }),
  ownerId: row.owner_id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  botCount,
  billingVersion: 'v4',
  plan: 'enterprise',
  blocked: false,
  activeTrialId: null,
})

export const toBotSummary = (
  row: Pick<
    ShownBot,
    'id' | 'name' | 'tags' | 'type' | 'created_at' | 'updated_at' | 'deployed_at'
  >,
): BotSummary => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  name: row.name,
  ...(row.deployed_at && { deployedAt: row.deployed_at.toISOString() }),
  tags: row.tags,
  type: row.type,
})

const noFailures = { failedAttempts: 0, lastFailureReason: null }

interface Around extends Pick<Bot, 'integrations' | 'plugins'> {
  failures: BotView['failures']
  /** Returned only once, when the bot is created. */
  signingSecret?: string | undefined
}

export const toBot = (
  row: ShownBot,
  { integrations, plugins, failures, signingSecret = '' }: Around,
): Bot => ({
  ...toBotSummary(row),
  ...row.definition,
  recurringEvents: Object.fromEntries(
    Object.entries(row.definition.recurringEvents).map(([key, event]) => [
      key,
      { ...event, ...(failures.get(key) ?? noFailures) },
    ]),
  ),
  ...(row.description && { description: row.description }),
  dev: row.dev,
  status: row.status as Bot['status'],
  ...(row.created_by !== null && { createdBy: row.created_by }),
  alwaysAlive: row.always_alive,
  maxExecutionTime: row.max_execution_seconds,
  signingSecret,
  secrets: Object.keys(row.secrets),
  integrations,
  plugins,
})

interface Presented {
  name: string
  title: string | null
  description: string
  visibility: 'private' | 'unlisted' | 'public'
  iconId: string | null
}

/** Returns the presentation of an integration. Every registered integration is approved. */
export const toPresentation = (row: Presented, origin: string) => ({
  title: row.title ?? row.name.slice(0, 64),
  description: row.description,
  iconUrl: assetUrl(origin, row.iconId),
  public: row.visibility === 'public',
  visibility: row.visibility,
  verificationStatus: 'approved' as const,
  lifecycleStatus: 'published' as const,
})

/**
 * `origin` is the URL at which clients reach this server. The built-in integrations have their
 * own addresses.
 */
export const toInstallation = (row: ShownInstallation, origin: string): Installation => ({
  id: row.integration_id,
  name: row.name,
  version: row.version,
  enabled: row.enabled,
  configuration: row.configuration,
  configurationType: row.configuration_type,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...toPresentation(row, origin),
  webhookUrl: `${origin}/${row.builtIn ? row.name : 'webhooks'}/${row.webhook_id}`,
  webhookId: row.webhook_id,
  ...(row.identifier !== null && { identifier: row.identifier }),
  status: row.status,
  statusReason: row.status_reason,
  disabledChannels: row.disabled_channels,
})

export const toPluginInstallation = (row: InstalledPlugin, origin: string): PluginInstallation => {
  const { createdAt: _made, updatedAt: _changed, ...head } = toPluginHead(row.head, origin)
  return {
    ...head,
    enabled: row.enabled,
    configuration: row.configuration,
    interfaces: row.interfaces,
    integrations: row.integrations,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
