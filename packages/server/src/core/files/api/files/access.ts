// Permissions for files. A bot has full access to all of its files. An integration has full access
// to the files it created, and reads those shared with integrations. A person has the permissions
// of the role in the workspace.

import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, may, type Role, roles } from '@botstead/contract'
import type { BotCaller } from '../../../http/index.ts'
import type { FileOwner, FileRow, FileViewer } from '../../files.ts'

export interface FileAccess {
  viewer: FileViewer
  owner: FileOwner
  mayWrite: (file?: FileRow) => boolean
}

/** Throws Forbidden if the caller's role has no access to files. */
export function fileAccess(caller: BotCaller, headers: IncomingHttpHeaders): FileAccess {
  const acting = [caller.account?.role, claimedRole(headers)].filter((role) => role !== undefined)
  const stranger = acting.find((role) => !may(role, 'files.read'))
  if (stranger) throw new ApiError('Forbidden', `The role ${stranger} has no access to files`)
  const mayChange = acting.every((role) => may(role, 'files.write'))
  const alias = caller.integration?.alias ?? null
  return {
    viewer: alias,
    owner: toOwner(caller, headers),
    mayWrite: (file) =>
      mayChange && (alias === null || file === undefined || file.integration === alias),
  }
}

/** Throws Forbidden if the caller may not create files. */
export function writing(access: FileAccess): FileAccess {
  if (!access.mayWrite()) throw readOnly()
  return access
}

export const readOnly = () => new ApiError('Forbidden', 'This role may only read files')

/**
 * A bot may act for a member of its workspace by sending the member's role; that can only reduce
 * its permissions.
 */
function claimedRole(headers: IncomingHttpHeaders): Role | undefined {
  const claim = headers['x-user-role']
  if (claim === undefined) return undefined
  const role = roles.find((known) => known === claim)
  if (!role)
    throw new ApiError('InvalidPayload', `\`x-user-role\` must be one of ${roles.join(', ')}`)
  return role
}

function toOwner(
  { botId, integration, account }: BotCaller,
  headers: IncomingHttpHeaders,
): FileOwner {
  if (integration) return { type: 'integration', ...integration }
  const userId = account?.accountId ?? headers['x-user-id']
  return typeof userId === 'string' && userId !== ''
    ? { type: 'user', id: userId.slice(0, 200) }
    : { type: 'bot', id: botId }
}
