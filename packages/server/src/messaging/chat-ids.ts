// Ids that chat clients choose for their users and conversations. They share a namespace with ours, so one that looks like ours is refused:
// it could stand in the way of the thing that has it.
import { ApiError } from '@botstead/contract'

const longest = 70
const allowed = /^[a-zA-Z0-9_\-\\/]+$/
const ours = /^(conv|user|bot)_[0-9A-HJKMNP-TV-Z]{26}$/

/** Empty is as good as none. Throws InvalidPayload. */
export function chosenId(id: string | undefined): string | undefined {
  if (!id) return undefined
  if (id.length > longest) throw new ApiError('InvalidPayload', `An id has ${longest} characters at most`)
  if (!allowed.test(id))
    throw new ApiError('InvalidPayload', 'An id has letters, digits and the characters _ - / \\')
  if (ours.test(id))
    throw new ApiError(
      'InvalidPayload',
      'An id of this form is given by the server: choose another, or leave it out',
    )
  return id
}

/** What the client sees and uses: its own id where it chose one. */
export const shownId = (row: { id: string; fid: string | null }) => row.fid ?? row.id
