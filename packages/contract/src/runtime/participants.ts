import { Type as T } from 'typebox'
import { byId, closed, Done, id, Meta, paging } from '../fields.ts'
import { User } from '../models/conversations/user.ts'
import { operation } from '../operation.ts'

const participantPath = T.Object({ id: T.String(), userId: T.String() })
const response = closed({ participant: User })

export const participants = {
  addParticipant: operation({
    method: 'POST',
    path: '/v1/chat/conversations/{id}/participants',
    access: 'bot',
    permission: 'conversations.write',
    summary: 'Add a participant to a conversation',
    params: byId,
    body: closed({ userId: id('user') }),
    response,
    errors: ['ResourceNotFound', 'ReferenceNotFound'],
  }),
  listParticipants: operation({
    method: 'GET',
    path: '/v1/chat/conversations/{id}/participants',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'List the participants of a conversation',
    params: byId,
    query: T.Object(paging),
    response: closed({ participants: T.Array(User), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  getParticipant: operation({
    method: 'GET',
    path: '/v1/chat/conversations/{id}/participants/{userId}',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'Get a participant of a conversation',
    params: participantPath,
    response,
    errors: ['ResourceNotFound'],
  }),
  removeParticipant: operation({
    method: 'DELETE',
    path: '/v1/chat/conversations/{id}/participants/{userId}',
    access: 'bot',
    permission: 'conversations.write',
    summary: 'Remove a participant from a conversation',
    params: participantPath,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
