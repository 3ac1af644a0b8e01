// Ids that chat clients choose for their users and conversations. They share a namespace with the
// server's ids, so an id in the server's format is rejected: it could collide with one that the
// server creates.
import { ApiError } from '@botstead/contract'

const maxLength = 70
const allowed = /^[a-zA-Z0-9_\-\\/]+$/
const serverId = /^(conv|user|bot)_[0-9A-HJKMNP-TV-Z]{26}$/

/** Returns undefined for an empty or missing id. Throws InvalidPayload. */
export function chosenId(id: string | undefined): string | undefined {
  if (!id) return undefined
  if (id.length > maxLength)
    throw new ApiError(
      'InvalidPayload',
      `An id must have at most ${maxLength} characters`,
    )
  if (!allowed.test(id))
    throw new ApiError(
      'InvalidPayload',
      'An id may contain only letters, digits and the characters _ - / \\',
    )
  if (serverId.test(id))
    throw new ApiError(
      'InvalidPayload',
      'Ids of this format are reserved for the server: choose another id, or omit it',
    )
  return id
}

/** Returns the id that the client sees and uses: the one it chose, otherwise the server's. */
export const publicId = (row: { id: string; fid: string | null }) => row.fid ?? row.id
