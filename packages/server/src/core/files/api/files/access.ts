// Permissions for files. A bot has full access to all of its files. An integration has full access
// to the files it created, and reads those shared with integrations. A person has the permissions
// of the role in the workspace: to all files, or to documents of the knowledge only.

import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, may, type Role, roles } from '@botstead/contract'
import type { Db } from '../../../db/index.ts'
import type { Caller } from '../../../http/index.ts'
import {
  type FileOwner,
  type FileRow,
  type FileViewer,
  findFile,
  isDocument,
  noFile,
} from '../../files.ts'

export interface FileAccess {
  viewer: FileViewer
  owner: FileOwner
  /** Whether the caller sees only documents of the knowledge: `isDocument`. */
  onlyDocuments: boolean
  mayWrite: (file?: FileRow) => boolean
  /** Throws Forbidden if the caller may not create files. */
  requireWrite: () => FileAccess
  /** Finds a file. Throws ResourceNotFound, also for one that the caller must not see. */
  find: (db: Db, idOrKey: string) => Promise<FileRow>
}

/** Access to all files. Throws Forbidden if the caller's role has none. */
export const fileAccess = (
  caller: Caller<'bot'>,
  headers: IncomingHttpHeaders,
): FileAccess => accessTo('files', caller, headers)

/**
 * Access to documents of the knowledge, and to all files for roles that have it. Callers must
 * respect `onlyDocuments`. Throws Forbidden if the caller's role has no access.
 */
export const documentAccess = (
  caller: Caller<'bot'>,
  headers: IncomingHttpHeaders,
): FileAccess => accessTo('knowledge', caller, headers)

function accessTo(
  area: 'files' | 'knowledge',
  caller: Caller<'bot'>,
  headers: IncomingHttpHeaders,
): FileAccess {
  const acting = [caller.account?.role, claimedRole(headers)].filter(
    (role) => role !== undefined,
  )
  const stranger = acting.find((role) => !may(role, `${area}.read`))
  if (stranger)
    throw new ApiError('Forbidden', `The role ${stranger} has no access to ${area}`)
  const mayChange = acting.every((role) => may(role, `${area}.write`))
  const onlyDocuments = acting.some((role) => !may(role, 'files.read'))
  const viewer = caller.integration?.alias ?? null
  const access: FileAccess = {
    viewer,
    owner: toOwner(caller, headers),
    onlyDocuments,
    mayWrite: (file) =>
      mayChange && (viewer === null || file === undefined || file.integration === viewer),
    requireWrite() {
      if (!access.mayWrite()) throw readOnly()
      return access
    },
    async find(db, idOrKey) {
      const file = await findFile(db, caller.botId, idOrKey, viewer)
      if (onlyDocuments && !isDocument(file)) throw noFile(idOrKey)
      return file
    },
  }
  return access
}

const readOnly = () => new ApiError('Forbidden', 'This role may only read files')

/**
 * A bot may act for a member of its workspace by sending the member's role; that can only reduce
 * its permissions.
 */
function claimedRole(headers: IncomingHttpHeaders): Role | undefined {
  const claim = headers['x-user-role']
  if (claim === undefined) return undefined
  const role = roles.find((known) => known === claim)
  if (!role)
    throw new ApiError(
      'InvalidPayload',
      `\`x-user-role\` must be one of ${roles.join(', ')}`,
    )
  return role
}

function toOwner(
  { botId, integration, account }: Caller<'bot'>,
  headers: IncomingHttpHeaders,
): FileOwner {
  if (integration) return { type: 'integration', ...integration }
  const userId = account?.accountId ?? headers['x-user-id']
  return typeof userId === 'string' && userId !== ''
    ? { type: 'user', id: userId.slice(0, 200) }
    : { type: 'bot', id: botId }
}
