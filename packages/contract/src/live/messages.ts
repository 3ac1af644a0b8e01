import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import { Feedback, newFeedback } from '../models/conversations/feedback.ts'
import { operation } from '../operation.ts'

export const messages = {
  setFeedback: operation({
    method: 'PUT',
    path: '/messages/{id}/feedback',
    access: 'chatUser',
    summary: "Set the caller's feedback on a message",
    description:
      'Replaces earlier feedback of the caller. The caller must be a participant.',
    params: byId,
    body: closed(newFeedback),
    response: closed({ feedback: Feedback }),
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  deleteFeedback: operation({
    method: 'DELETE',
    path: '/messages/{id}/feedback',
    access: 'chatUser',
    summary: "Delete the caller's feedback on a message",
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  listOwnFeedback: operation({
    method: 'GET',
    path: '/conversations/{id}/feedback',
    access: 'chatUser',
    summary: "List the caller's feedback in a conversation",
    description: 'The newest comes first.',
    params: byId,
    query: T.Object(paging),
    response: closed({ feedback: T.Array(Feedback), meta: Meta }),
    errors: ['Forbidden', 'InvalidQuery'],
  }),
}
