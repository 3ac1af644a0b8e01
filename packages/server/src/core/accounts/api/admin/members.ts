import type { admin, Handlers } from '@botstead/contract'
import {
  type Contexts,
  parsePage,
  textPosition,
  toListPage,
} from '../../../http/index.ts'
import { requireCredential } from '../../browser-sessions.ts'
import {
  addMember,
  changeRole,
  findMember,
  listMembers,
  removeMember,
} from '../../members.ts'
import type { AccountServices } from '../../services.ts'
import { toMember } from './serializers.ts'

export const members: Handlers<(typeof admin)['members'], Contexts<AccountServices>> = {
  async listWorkspaceMembers({ services, caller }, { query }) {
    const page = parsePage(
      services,
      ['admin.listWorkspaceMembers', caller.workspaceId],
      query,
    )
    const rows = await listMembers(services.db, caller.workspaceId, {
      after: textPosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, (row) => [
      row.created_at.toISOString(),
      row.account_id,
    ])
    return { members: items.map(toMember), meta }
  },

  async createWorkspaceMember({ services, caller, request }, { body }) {
    await requireCredential(services, request, caller.accountId)
    await services.checkMemberQuota(services.db, caller.workspaceId)
    const added = await services.db
      .transaction()
      .execute((trx) => addMember(trx, caller.workspaceId, caller, body))
    await services.invalidate({ accountId: added.account_id })
    return toMember(added)
  },

  async getWorkspaceMember({ services, caller }) {
    return toMember(await findMember(services.db, caller.workspaceId, caller.accountId))
  },

  async updateWorkspaceMember({ services, caller, request }, { params, body: { role } }) {
    if (role) {
      await requireCredential(services, request, caller.accountId)
      await services.db
        .transaction()
        .execute((trx) => changeRole(trx, caller.workspaceId, caller, params.id, role))
      await services.invalidate({ accountId: params.id })
    }
    return toMember(await findMember(services.db, caller.workspaceId, params.id))
  },

  async deleteWorkspaceMember({ services, caller }, { params }) {
    await services.db
      .transaction()
      .execute((trx) => removeMember(trx, caller.workspaceId, caller.role, params.id))
    await services.invalidate({ accountId: params.id })
    return {}
  },
}
