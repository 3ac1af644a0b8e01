import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../../fields.ts'
import { ConversationNote } from '../../models/conversations/conversation-note.ts'
import { operation } from '../../operation.ts'

export const conversationNotes = {
  listConversationNotes: operation({
    method: 'GET',
    path: '/v1/platform/conversations/{id}/notes',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'List the notes of a conversation, newest first',
    params: byId,
    query: T.Object(paging),
    response: closed({ notes: T.Array(ConversationNote), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  createConversationNote: operation({
    method: 'POST',
    path: '/v1/platform/conversations/{id}/notes',
    access: 'bot',
    permission: 'conversations.write',
    summary: 'Add a note to a conversation',
    description: 'Members and the bot read it; the users of the conversation do not.',
    params: byId,
    body: closed({ text: T.String({ minLength: 1, maxLength: 10_000 }) }),
    status: 201,
    response: closed({ note: ConversationNote }),
    errors: ['ResourceNotFound'],
  }),
  deleteConversationNote: operation({
    method: 'DELETE',
    path: '/v1/platform/notes/{id}',
    access: 'bot',
    permission: 'conversations.write',
    summary: 'Delete a note of the caller',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
