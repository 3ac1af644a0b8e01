import { Type as T } from 'typebox'
import { closed, Done, Meta, paging } from '../fields.ts'
import { ChatUser } from '../models/chat-user.ts'
import { operation } from '../operation.ts'

const inConversation = T.Object({ conversationId: T.String() })
const one = T.Object({ conversationId: T.String(), userId: T.String() })
const answer = closed({ participant: ChatUser })

export const participants = {
  addParticipant: operation({
    method: 'POST',
    path: '/conversations/{conversationId}/participants',
    access: 'chatUser',
    summary: 'Let a user into a conversation of the caller',
    params: inConversation,
    body: T.Object({ userId: T.String() }),
    response: answer,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  listParticipants: operation({
    method: 'GET',
    path: '/conversations/{conversationId}/participants',
    access: 'chatUser',
    summary: 'List who takes part in a conversation',
    params: inConversation,
    query: T.Object(paging),
    response: closed({ participants: T.Array(ChatUser), meta: Meta }),
    errors: ['Forbidden', 'InvalidQuery'],
  }),
  getParticipant: operation({
    method: 'GET',
    path: '/conversations/{conversationId}/participants/{userId}',
    access: 'chatUser',
    summary: 'Look up who takes part in a conversation of the caller',
    params: one,
    response: answer,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  removeParticipant: operation({
    method: 'DELETE',
    path: '/conversations/{conversationId}/participants/{userId}',
    access: 'chatUser',
    summary: 'Show a user out of a conversation of the caller',
    params: one,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
