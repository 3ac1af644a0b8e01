import type { Handlers, platform } from '@botstead/contract'
import {
  type Contexts,
  operated,
  operatorPage,
  timePosition,
} from '../../../../core/http/index.ts'
import { toUser } from '../../../../core/messaging/index.ts'
import { listUserStates } from '../../../../core/workflows/index.ts'
import {
  type FoundUser,
  findUserActivity,
  searchUsers,
} from '../../search/user-search.ts'

export const users: Handlers<typeof platform.users, Contexts> = {
  async searchUsers(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'searchUsers', query)
    const { found, next } = await searchUsers(context.services.database.finds, botId, {
      ...query,
      position: timePosition(page.position),
      limit: page.limit,
    })
    return {
      users: found.map(toFoundUser),
      meta: next ? { nextToken: page.token([next.at.toISOString(), next.id]) } : {},
    }
  },

  async getUser({ services: { db }, caller }, { params }) {
    const botId = operated(caller)
    const found = await findUserActivity(db, botId, params.id)
    return { ...toFoundUser(found), states: await listUserStates(db, botId, params.id) }
  },
}

const toFoundUser = ({ user, is_member, conversations, last_active_at }: FoundUser) => ({
  user: toUser(user),
  ...(user.fid !== null && { fid: user.fid }),
  ...(user.integration !== null && { integration: user.integration }),
  ...(is_member && { isMember: true }),
  ...(user.home_id !== null && { isMerged: true }),
  conversationCount: conversations,
  ...(last_active_at && { lastActiveAt: last_active_at.toISOString() }),
})
