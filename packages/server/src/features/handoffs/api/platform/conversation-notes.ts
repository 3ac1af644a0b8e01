import type { Handlers, platform } from '@botstead/contract'
import {
  type Contexts,
  operated,
  operatorPage,
  toListPage,
} from '../../../../core/http/index.ts'
import { conversationStore } from '../../../../core/messaging/index.ts'
import { createNote, deleteNote, listNotes, toNote } from '../../conversation-notes.ts'

export const conversationNotes: Handlers<typeof platform.conversationNotes, Contexts> = {
  async listConversationNotes(context, { params, query }) {
    const { db } = context.services
    const place = { botId: operated(context.caller), conversationId: params.id }
    await conversationStore.find(db, place.botId, params.id)
    const page = operatorPage(context, 'listConversationNotes', {
      ...query,
      conversation: params.id,
    })
    const rows = await listNotes(db, place, {
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ id }) => [id])
    return { notes: items.map(toNote), meta }
  },

  async createConversationNote({ services: { db }, caller }, { params, body }) {
    const place = { botId: operated(caller), conversationId: params.id }
    const author = caller.account?.accountId ?? null
    return { note: toNote(await createNote(db, place, { ...body, author })) }
  },

  async deleteConversationNote({ services: { db }, caller }, { params }) {
    const author = caller.account?.accountId ?? null
    await deleteNote(db, { botId: operated(caller), id: params.id, author })
    return {}
  },
}
