// Converts rows to responses of the Admin API: absent instead of null, dates as text.
import type {
  PublicWorkspace,
  Account as ShownAccount,
  Workspace as ShownWorkspace,
  WorkspaceMember,
} from '@botstead/contract'
import type { Account } from '../../accounts.ts'
import type { Member } from '../../members.ts'
import type { Workspace, WorkspaceRow } from '../../workspaces.ts'

export const toAccount = (row: Account): ShownAccount => ({
  id: row.id,
  email: row.email,
  ...(row.name !== null && { displayName: row.name }),
  emailVerified: row.email_verified_at !== null,
  ...(row.picture_url !== null && { profilePicture: row.picture_url }),
  createdAt: row.created_at.toISOString(),
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

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
export const toWorkspace = (row: Workspace): ShownWorkspace => ({
  spendingLimit: 0,
  ...(row.profile as Partial<ShownWorkspace>),
  id: row.id,
  name: row.name,
  ...(row.handle !== null && { handle: row.handle }),
  ownerId: row.owner_id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  botCount: row.bot_count,
  billingVersion: 'v4',
  plan: 'enterprise',
  blocked: false,
  activeTrialId: null,
})
