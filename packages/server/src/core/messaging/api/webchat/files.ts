import { ApiError, type Handlers, type webchat } from '@botstead/contract'
import { announceUpload } from '../../../files/index.ts'
import {
  type Contexts,
  type RateServices,
  rateLimits,
  toDate,
} from '../../../http/index.ts'
import { findKeyUser } from '../../chat/chat-lookups.ts'

/** Visitors are anonymous, and share the storage of the bot's workspace. Uploads are also counted. */
const maxBytes = 104_857_600
const maxDays = 30
const dayMs = 86_400_000

export const files: Handlers<typeof webchat.files, Contexts<RateServices>> = {
  async createFile(context, { body }) {
    const { services, caller } = context
    if (caller.appearance.uploads === false)
      throw new ApiError(
        'Forbidden',
        'Visitors of this chat cannot send files: set `appearance.uploads` of the integration to `true`',
      )
    if (body.size > maxBytes)
      throw new ApiError('LimitExceeded', `A file must have at most ${maxBytes} bytes`)
    rateLimits.countUpload(services, context, body.size)
    const user = await findKeyUser(services.database, caller.botId, caller.claim)
    const latest = new Date(Date.now() + maxDays * dayMs)
    const expiresAt = toDate(body.expiresAt) ?? latest
    // Clients compute their time with another clock.
    if (expiresAt.getTime() > latest.getTime() + dayMs)
      throw new ApiError(
        'LimitExceeded',
        `\`expiresAt\` must be at most ${maxDays} days from now`,
      )
    const source = {
      source: 'integration',
      integrationName: caller.integration,
      user: user.id,
    }
    const file = await announceUpload(context, {
      // Deleted with the user. The prefix keeps users from replacing files of others.
      owner: { type: 'user', id: user.id },
      key: `${user.id}/${body.key}`,
      size: body.size,
      contentType: body.contentType,
      accessPolicies: body.accessPolicies,
      tags: { ...body.tags, ...source },
      index: false,
      expiresAt,
    })
    return { file }
  },
}
