import { ApiError, type chat, type Handlers } from '@botstead/contract'
import type { Caller, Contexts, HttpServices, Services } from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { chosenId, publicId } from '../../chat/chat-ids.ts'
import {
  findKeyUser,
  findNamedUser,
  lookUpUser,
  type NamedUser,
  noKeyUser,
} from '../../chat/chat-lookups.ts'
import type { MessagingServices } from '../../services.ts'
import { createUser, deleteUser, updateUser } from '../../users.ts'
import { toChatUser } from './serializers.ts'

type Own = HttpServices & RealtimeServices & MessagingServices

interface Profile {
  name?: string
  pictureUrl?: string
  profile?: string
}

/**
 * Bodies may have further properties, which users must not set. A change covers only these three,
 * and the tags by which bots read them.
 */
const changeBy = ({ name, pictureUrl, profile }: Profile, fid?: string) => ({
  name,
  pictureUrl,
  profile,
  tags: { ...(fid && { fid }), ...(profile && { profile }) },
})

const newUser = (
  { alias }: Caller<'chat'>,
  profile: Profile,
  fid: string | undefined,
) => ({
  ...changeBy(profile, fid),
  integration: alias,
  ...(fid && { fid }),
})

/** Creates the user of a key that the owner signed. Throws InvalidPayload for an invalid id. */
export async function createKeyUser(
  { database, db }: Pick<Services & Own, 'database' | 'db'>,
  caller: Caller<'chatUser'>,
  profile: Profile,
): Promise<NamedUser> {
  const { botId, alias, claim } = caller
  const create = () =>
    createUser(db, botId, alias, newUser(caller, profile, chosenId(claim)))
  // Two clients of one user may send their first request at once.
  return create().catch((error) =>
    error instanceof ApiError && error.type === 'AlreadyExists'
      ? findNamedUser(database, botId, claim)
      : Promise.reject(error),
  )
}

/** Users with keys that the server issued have proven nothing. */
export async function noteSigned(
  { afterCommit, hooks }: Pick<Services & MessagingServices, 'afterCommit' | 'hooks'>,
  { botId, ...key }: Caller<'chatUser'>,
  userId: string,
): Promise<void> {
  if (key.isIssued) return
  await afterCommit(async () => {
    for (const note of hooks.userSigned) await note({ botId, userId }, key)
  })
}

export const users: Handlers<typeof chat.users, Contexts<Own>> = {
  async createUser({ services: { db, userKeys }, caller }, { body }) {
    if (caller.encryptionKey)
      throw new ApiError(
        'Unauthorized',
        'This bot has its own encryption key: sign a user key with it, then call `getOrCreateUser`',
      )
    const user = await createUser(
      db,
      caller.botId,
      caller.alias,
      newUser(caller, body, chosenId(body.id)),
    )
    return { user: toChatUser(user), key: await userKeys.make(caller, publicId(user)) }
  },

  async getOrCreateUser({ services, caller }, { body }) {
    const { database, db } = services
    const { botId, alias, claim } = caller
    const found = await lookUpUser(database, botId, claim)
    // Keys that the server issued had a user, since deleted. Only keys signed by owners create
    // users again.
    if (!found && caller.isIssued) throw noKeyUser()
    const user = found
      ? await updateUser(db, botId, found.id, alias, changeBy(body))
      : await createKeyUser({ database, db }, caller, body)
    await noteSigned(services, caller, user.id)
    return { user: toChatUser(user) }
  },

  async getUser({ services: { database }, caller }) {
    return { user: toChatUser(await findKeyUser(database, caller.botId, caller.claim)) }
  },

  async updateUser({ services: { database, db }, caller }, { body }) {
    const { id } = await findKeyUser(database, caller.botId, caller.claim)
    return {
      user: toChatUser(
        await updateUser(db, caller.botId, id, caller.alias, changeBy(body)),
      ),
    }
  },

  async deleteUser({ services: { database, db, signals }, caller }) {
    const { id } = await findKeyUser(database, caller.botId, caller.claim)
    await deleteUser(db, caller.botId, id, caller.alias)
    signals.cutEverywhere(caller.botId, id)
    return {}
  },
}
