import { ApiError, type Handlers, type platform } from '@botstead/contract'
import type { FastifyRequest } from 'fastify'
import {
  type AccountServices,
  accountStore,
  memberStore,
  workspaceStore,
} from '../../../../core/accounts/index.ts'
import {
  type Contexts,
  creationPosition,
  getAddress,
  type HttpServices,
  parsePage,
  type Services,
  timePosition,
  toListPage,
} from '../../../../core/http/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import { queueMail } from '../../../server-settings/index.ts'
import {
  createInvitation,
  deleteInvitation,
  findInvitation,
  type Invitation,
  invitationGone,
  listInvitations,
  toInvitationUrl,
  withdrawInvitation,
} from '../../invitation-links.ts'

type Own = AccountServices & HttpServices & RealtimeServices

export const invitations: Handlers<typeof platform.invitations, Contexts<Own>> = {
  async listInvitations({ services, caller: { workspaceId } }, { query }) {
    const page = parsePage(services, ['platform.listInvitations', workspaceId], query)
    const rows = await listInvitations(services.db, workspaceId, {
      after: timePosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, creationPosition)
    return { invitations: items.map(toInvitation), meta }
  },

  async createInvitation({ services, caller }, { body }) {
    await services.checkMemberQuota(services.db, caller.workspaceId)
    const { invitation, code } = await createInvitation(services.database, caller, body)
    const url = toInvitationUrl(services.publicUrl(), code)
    const isMailed = await mailInvitation(services, invitation, url)
    return { invitation: toInvitation(invitation), url, isMailed }
  },

  async deleteInvitation({ services, caller }, { params }) {
    await withdrawInvitation(services.db, caller.workspaceId, caller.role, params.id)
    return {}
  },

  async acceptInvitation({ services, caller: { accountId }, request }, { body }) {
    const workspaceId = await services.inTransaction(async (inside) => {
      const invitation = await findInvitation(inside.db, body.code, { lock: true })
      if (!invitation) throw invitationGone()
      const { email } = await accountStore.find(inside.db, accountId)
      if (email.toLowerCase() !== invitation.email)
        throw new ApiError(
          'Forbidden',
          `The invitation is for ${invitation.email}: sign in with the account of this address`,
        )
      await join(inside, request, invitation, accountId)
      return invitation.workspace_id
    })
    services.changeFeed.publish({ topic: 'members', workspaceId })
    return { workspaceId }
  },
}

/** Makes the account a member and records that in the workspace. Call it within a transaction. */
export async function join(
  inside: Services & Own,
  request: FastifyRequest,
  invitation: Invitation,
  accountId: string,
): Promise<void> {
  const { workspace_id: workspaceId, email, role, invited_by: grantedBy } = invitation
  await inside.checkMemberQuota(inside.db, workspaceId)
  await memberStore.insert(inside.db, { workspaceId, accountId, role, grantedBy })
  await deleteInvitation(inside.db, invitation.id)
  await inside.audit.record(inside.database, [workspaceId], {
    accountId,
    tokenId: request.tokenId ?? request.sessionId,
    ip: getAddress(inside, request),
    operation: 'platform.acceptInvitation',
    action: 'ADD_WORKSPACE_MEMBER',
    targetId: accountId,
    targetName: email,
    result: 'done',
  })
  await inside.invalidate({ accountId })
}

/** A member could otherwise send any number of e-mails to strangers. */
const maxMailsPerDay = 100

/** Returns false without a mail server, and after too many e-mails of the workspace. */
async function mailInvitation(
  { config, db, secrets }: Services,
  { email, workspace_id: workspaceId, invited_by: inviter, expires_at: end }: Invitation,
  url: string,
): Promise<boolean> {
  if (!config.mail) return false
  const [workspace, { email: sender }] = await Promise.all([
    workspaceStore.find(db, inviter, workspaceId),
    accountStore.find(db, inviter),
  ])
  const name = workspace.name.replaceAll(/\s+/g, ' ').slice(0, 100)
  const text =
    `${sender} invites you to the workspace "${name}" of Botstead.\n\n` +
    `Open this link to join. It works once, until ${end.toISOString().slice(0, 10)}:\n\n${url}\n\n` +
    'If you do not know the sender, ignore this e-mail.\n'
  const mail = { recipient: email, subject: `Invitation to "${name}"`, text }
  return queueMail(db, secrets, mail, {
    ofDay: `invitation ${workspaceId}`,
    max: maxMailsPerDay,
  })
}

const toInvitation = (row: Invitation) => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
})
