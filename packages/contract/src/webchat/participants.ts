import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import { WebchatUser } from '../models/chat/webchat-user.ts'
import { operation } from '../operation.ts'

const participantPath = T.Object({ id: T.String(), userId: T.String() })
const response = closed({ participant: WebchatUser })

export const participants = {
  addParticipant: operation({
    method: 'POST',
    path: '/conversations/{id}/participants',
    access: 'chatUser',
    summary: 'Add a participant to a conversation',
    description: 'The caller must own the conversation.',
    params: byId,
    body: T.Object({ userId: T.String() }),
    response,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  listParticipants: operation({
    method: 'GET',
    path: '/conversations/{id}/participants',
    access: 'chatUser',
    summary: 'List the participants of a conversation',
    params: byId,
    query: T.Object(paging),
    response: closed({ participants: T.Array(WebchatUser), meta: Meta }),
    errors: ['Forbidden', 'InvalidQuery'],
  }),
  getParticipant: operation({
    method: 'GET',
    path: '/conversations/{id}/participants/{userId}',
    access: 'chatUser',
    summary: 'Get a participant of a conversation',
    description: 'The caller must own the conversation.',
    params: participantPath,
    response,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  removeParticipant: operation({
    method: 'DELETE',
    path: '/conversations/{id}/participants/{userId}',
    access: 'chatUser',
    summary: 'Remove a participant from a conversation',
    description: 'The caller must own the conversation.',
    params: participantPath,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
