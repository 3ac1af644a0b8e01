import { ApiError, type Handlers, type webchat } from '@botstead/contract'
import type { Contexts, HttpServices } from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { publicId } from '../../chat/chat-ids.ts'
import { findKeyUser, findNamedUser } from '../../chat/chat-lookups.ts'
import type { MessagingServices } from '../../services.ts'
import { updateUser } from '../../users.ts'
import { users as chatUsers } from '../chat/users.ts'
import { toWebchatUser } from './serializers.ts'
import { createVisitor, isAdmin, toUserChange } from './visitors.ts'

type Own = HttpServices & RealtimeServices & MessagingServices

export const users: Handlers<typeof webchat.users, Contexts<Own>> = {
  async createUser({ services, caller, request }, { body }) {
    const { user, key } = await createVisitor(services, caller, request, body)
    return { user: toWebchatUser(user), key }
  },

  async generateUserKey({ services, caller, request }, { body }) {
    if (caller.adminSecret === '')
      throw new ApiError(
        'Forbidden',
        'Set `adminSecret` in the configuration of the integration to generate user keys',
      )
    if (!(await isAdmin(services, caller, request)))
      throw new ApiError('Unauthorized', 'Send the admin secret in `x-admin-secret`')
    const { botId, alias } = caller
    const user = await findNamedUser(services.database, botId, body.id)
    if (user.integration !== alias)
      throw new ApiError('ResourceNotFound', `User "${body.id}" was not found`)
    return { key: await services.userKeys.make(caller, publicId(user), body.expiresAt) }
  },

  async getUser({ services, caller }) {
    return {
      user: toWebchatUser(
        await findKeyUser(services.database, caller.botId, caller.claim),
      ),
    }
  },

  async updateUser({ services, caller }, { body }) {
    const { database, db } = services
    const { id, attributes } = await findKeyUser(database, caller.botId, caller.claim)
    const change = await toUserChange(services, caller, body, attributes ?? {})
    return {
      user: toWebchatUser(await updateUser(db, caller.botId, id, caller.alias, change)),
    }
  },

  deleteUser: chatUsers.deleteUser,
}
