import type { admin, Handlers } from '@botstead/contract'
import {
  type Contexts,
  creationPosition,
  parsePage,
  textPosition,
  toListPage,
} from '../../../http/index.ts'
import { checkHandle } from '../../handles.ts'
import { findPreference, setPreference } from '../../preferences.ts'
import type { AccountServices } from '../../services.ts'
import {
  createWorkspace,
  findPublicWorkspace,
  findWorkspace,
  listPublicWorkspaces,
  listWorkspaces,
  updateWorkspace,
} from '../../workspaces.ts'
import { toPublicWorkspace, toWorkspace } from './serializers.ts'

export const workspaces: Handlers<
  (typeof admin)['workspaces'],
  Contexts<AccountServices>
> = {
  async createWorkspace({ services, caller }, { body }) {
    return toWorkspace(await createWorkspace(services.db, caller.accountId, body.name))
  },

  async listWorkspaces({ services, caller }, { query }) {
    const { nextToken, handle, pageSize = 20 } = query
    const listing = JSON.stringify(['listWorkspaces', caller.accountId, handle])
    const after = services.pageTokens.read(listing, nextToken)
    const rows = await listWorkspaces(services.db, caller.accountId, {
      ...(handle !== undefined && { handle }),
      after: after && { at: after[0]!, id: after[1]! },
      limit: pageSize + 1,
    })
    const shown = rows.slice(0, pageSize)
    const last = shown.at(-1)
    return {
      workspaces: shown.map(toWorkspace),
      meta:
        rows.length > pageSize && last
          ? {
              nextToken: services.pageTokens.make(listing, [
                last.created_at.toISOString(),
                last.id,
              ]),
            }
          : {},
    }
  },

  async getWorkspace({ services, caller }, { params }) {
    return toWorkspace(await findWorkspace(services.db, caller.accountId, params.id))
  },

  async updateWorkspace({ services, caller }, { params, body }) {
    const { name, handle, ...profile } = body
    await updateWorkspace(services.db, params.id, {
      ...(name !== undefined && { name }),
      ...(handle !== undefined && { handle }),
      profile,
    })
    return toWorkspace(await findWorkspace(services.db, caller.accountId, params.id))
  },

  async deleteWorkspace({ services, caller }) {
    await services.removeWorkspace(caller.workspaceId)
    return {}
  },

  async checkHandleAvailability({ services, caller }, { body }) {
    return checkHandle(services.db, caller.accountId, body.handle)
  },

  async getPublicWorkspace({ services }, { params }) {
    return toPublicWorkspace(await findPublicWorkspace(services.db, params.id))
  },

  async listPublicWorkspaces({ services, caller }, { query }) {
    const { workspaceIds: ids, search } = query
    const page = parsePage(
      services,
      ['admin.listPublicWorkspaces', JSON.stringify([caller, ids, search])],
      query,
    )
    const after = textPosition(page.position)
    const rows = await listPublicWorkspaces(services.db, {
      ids,
      search,
      after,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, creationPosition)
    return { workspaces: items.map(toPublicWorkspace), meta }
  },

  async getWorkspacePreference({ services, caller }, { params }) {
    const value = await findPreference(
      services.db,
      { workspaceId: caller.workspaceId },
      params.key,
    )
    return value === undefined ? {} : { value }
  },

  async setWorkspacePreference({ services, caller }, { params, body }) {
    await setPreference(
      services.db,
      { workspaceId: caller.workspaceId },
      params.key,
      body.value,
    )
    return {}
  },
}
