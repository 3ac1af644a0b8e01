// Converts exports of other builders in a thread, because they are untrusted and may be large.
import { ApiError } from '@botstead/contract'
import { compute } from '../../core/compute/index.ts'

/** Of an export of 10 MB, on a busy machine. */
const deadlineMs = 20_000

/** Throws InvalidPayload for a file from which no bot can be made. */
export async function convertBot(
  workspaceId: string,
  file: { fileName: string; content: string },
) {
  const converted = await compute.run(workspaceId, 'convertBot', file, { deadlineMs })
  if ('text' in converted) return converted
  const { fault, message, position } = converted
  throw new ApiError('InvalidPayload', `\`content\`: ${message}`, {
    metadata: { fault, ...position },
  })
}
