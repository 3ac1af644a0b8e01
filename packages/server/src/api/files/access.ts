// Who may do what with files. A bot: everything with all of its files. An integration: everything with those it made, and read what is shared
// with integrations. A person: what the role in the workspace permits.

import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, may, type Role, roles } from '@botstead/contract'
import type { FileRow, Owner, Viewer } from '../../files/files.ts'
import type { BotCaller } from '../../services.ts'

export interface FileAccess {
  viewer: Viewer
  owner: Owner
  mayWrite: (file?: FileRow) => boolean
}

/** Throws Forbidden for whom files are none of their business. */
export function fileAccess(caller: BotCaller, headers: IncomingHttpHeaders): FileAccess {
  const acting = [caller.account?.role, claimedRole(headers)].filter((role) => role !== undefined)
  const stranger = acting.find((role) => !may(role, 'files.read'))
  if (stranger) throw new ApiError('Forbidden', `The role ${stranger} has no part in files`)
  const mayChange = acting.every((role) => may(role, 'files.write'))
  const alias = caller.integration?.alias ?? null
  return {
    viewer: alias,
    owner: ownerOf(caller, headers),
    mayWrite: (file) => mayChange && (alias === null || file === undefined || file.integration === alias),
  }
}

/** Throws Forbidden for a caller who may create no files. */
export function writing(access: FileAccess): FileAccess {
  if (!access.mayWrite()) throw readOnly()
  return access
}

export const readOnly = () => new ApiError('Forbidden', 'This role may only read files')

/** A bot may act for one of its workspace's people, and says so; that can only take rights away. */
function claimedRole(headers: IncomingHttpHeaders): Role | undefined {
  const claim = headers['x-user-role']
  if (claim === undefined) return undefined
  const role = roles.find((known) => known === claim)
  if (!role) throw new ApiError('InvalidPayload', `x-user-role must be one of ${roles.join(', ')}`)
  return role
}

function ownerOf({ botId, integration, account }: BotCaller, headers: IncomingHttpHeaders): Owner {
  if (integration) return { type: 'integration', ...integration }
  const userId = account?.accountId ?? headers['x-user-id']
  return typeof userId === 'string' && userId !== ''
    ? { type: 'user', id: userId.slice(0, 200) }
    : { type: 'bot', id: botId }
}
