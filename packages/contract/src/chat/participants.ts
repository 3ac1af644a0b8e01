import { Type as T } from 'typebox'
import { closed, Done, Meta, paging } from '../fields.ts'
import { ChatUser } from '../models/chat/chat-user.ts'
import { operation } from '../operation.ts'

const inConversation = T.Object({ conversationId: T.String() })
const participantPath = T.Object({ conversationId: T.String(), userId: T.String() })
const response = closed({ participant: ChatUser })

export const participants = {
  addParticipant: operation({
    method: 'POST',
    path: '/conversations/{conversationId}/participants',
    access: 'chatUser',
    summary: 'Add a participant to a conversation',
    description: 'The caller must own the conversation.',
    params: inConversation,
    body: T.Object({ userId: T.String() }),
    response,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  listParticipants: operation({
    method: 'GET',
    path: '/conversations/{conversationId}/participants',
    access: 'chatUser',
    summary: 'List the participants of a conversation',
    params: inConversation,
    query: T.Object(paging),
    response: closed({ participants: T.Array(ChatUser), meta: Meta }),
    errors: ['Forbidden', 'InvalidQuery'],
  }),
  getParticipant: operation({
    method: 'GET',
    path: '/conversations/{conversationId}/participants/{userId}',
    access: 'chatUser',
    summary: 'Get a participant of a conversation',
    description: 'The caller must own the conversation.',
    params: participantPath,
    response,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  removeParticipant: operation({
    method: 'DELETE',
    path: '/conversations/{conversationId}/participants/{userId}',
    access: 'chatUser',
    summary: 'Remove a participant from a conversation',
    description: 'The caller must own the conversation.',
    params: participantPath,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
