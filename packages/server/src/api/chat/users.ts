import { ApiError, type chat, type Handlers } from '@botstead/contract'
import { chosenId, shownId } from '../../messaging/chat-ids.ts'
import { findNamedUser, lookUpUser } from '../../messaging/chat-lookups.ts'
import { createUser, deleteUser, updateUser } from '../../messaging/users.ts'
import type { ChatCaller, Contexts } from '../../services.ts'
import { userOf } from './shown.ts'

/** What the integration itself knows of a user, as tags that bots may read. */
const tagsOf = (caller: ChatCaller, { fid, profile }: { fid?: string | undefined; profile?: string | undefined }) => ({
  integration: caller.alias,
  tags: { ...(fid && { fid }), ...(profile && { profile }) },
})

export const users: Handlers<typeof chat.users, Contexts> = {
  async createUser({ services: { db, userKeys }, caller }, { body: { id, ...profile } }) {
    if (caller.encryptionKey) throw new ApiError('Unauthorized', 'This bot signs user keys with its own encryption key: make one, then call getOrCreateUser')
    const fid = chosenId(id)
    const user = await createUser(db, caller.botId, caller.alias, { ...profile, ...tagsOf(caller, { fid, profile: profile.profile }), ...(fid && { fid }) })
    return { user: userOf(user), key: await userKeys.make(caller, shownId(user)) }
  },

  async getOrCreateUser({ services: { db }, caller }, { body }) {
    const { botId, alias, claim } = caller
    const found = await lookUpUser(db, botId, claim)
    if (found) return { user: userOf(await updateUser(db, botId, found.id, alias, { ...body, tags: tagsOf(caller, { profile: body.profile }).tags })) }
    const fid = chosenId(claim)!
    const create = () => createUser(db, botId, alias, { ...body, ...tagsOf(caller, { profile: body.profile }), fid })
    // Two clients of one user may come for the first time together.
    const user = await create().catch((error) =>
      error instanceof ApiError && error.type === 'AlreadyExists' ? findNamedUser(db, botId, claim) : Promise.reject(error),
    )
    return { user: userOf(user) }
  },

  async getUser({ services: { db }, caller }) {
    return { user: userOf(await findNamedUser(db, caller.botId, caller.claim)) }
  },

  async updateUser({ services: { db }, caller }, { body }) {
    const { id } = await findNamedUser(db, caller.botId, caller.claim)
    return { user: userOf(await updateUser(db, caller.botId, id, caller.alias, { ...body, tags: tagsOf(caller, { profile: body.profile }).tags })) }
  },

  async deleteUser({ services: { db, signals }, caller }) {
    const { id } = await findNamedUser(db, caller.botId, caller.claim)
    await deleteUser(db, caller.botId, id, caller.alias)
    signals.cutEverywhere(caller.botId, id)
    return {}
  },
}
