import type { Handlers, platform } from '@botstead/contract'
import {
  type Contexts,
  operated,
  operatorPage,
  toListPage,
} from '../../../../core/http/index.ts'
import {
  createCannedReply,
  deleteCannedReply,
  listCannedReplies,
  toCannedReply,
  updateCannedReply,
} from '../../canned-replies.ts'

export const cannedReplies: Handlers<typeof platform.cannedReplies, Contexts> = {
  async listCannedReplies(context, { query }) {
    const page = operatorPage(context, 'listCannedReplies', query)
    const rows = await listCannedReplies(context.services.db, operated(context.caller), {
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ name }) => [name])
    return { cannedReplies: items.map(toCannedReply), meta }
  },

  async createCannedReply({ services: { db }, caller }, { body }) {
    return {
      cannedReply: toCannedReply(await createCannedReply(db, operated(caller), body)),
    }
  },

  async updateCannedReply({ services: { db }, caller }, { params, body }) {
    const row = await updateCannedReply(db, operated(caller), params.id, body)
    return { cannedReply: toCannedReply(row) }
  },

  async deleteCannedReply({ services: { db }, caller }, { params }) {
    await deleteCannedReply(db, operated(caller), params.id)
    return {}
  },
}
