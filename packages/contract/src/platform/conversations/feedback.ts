import { Type as T } from 'typebox'
import { byId, closed, Meta, Moment, paging } from '../../fields.ts'
import { Feedback } from '../../models/conversations/feedback.ts'
import { operation } from '../../operation.ts'

const text = T.Optional(T.String())

export const feedback = {
  listFeedback: operation({
    method: 'GET',
    path: '/v1/platform/feedback',
    access: 'bot',
    permission: 'conversations.read',
    summary: "List users' feedback on messages",
    description: 'The newest comes first. Dates are those of the creation.',
    query: T.Object({
      ...paging,
      conversationId: text,
      messageId: text,
      userId: text,
      rating: T.Optional(T.Enum(['positive', 'negative', '1', '2', '3', '4', '5'])),
      afterDate: T.Optional(Moment),
      beforeDate: T.Optional(Moment),
    }),
    response: closed({ feedback: T.Array(Feedback), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getFeedback: operation({
    method: 'GET',
    path: '/v1/platform/feedback/{id}',
    access: 'bot',
    summary: "Get a user's feedback on a message",
    params: byId,
    response: closed({ feedback: Feedback }),
    errors: ['ResourceNotFound'],
  }),
}
