import { Type as T } from 'typebox'
import { byId, Count, closed, Meta, paging } from '../fields.ts'
import { NumberedMessage } from '../models/numbered-message.ts'
import { operation } from '../operation.ts'

export const conversations = {
  listNumberedMessages: operation({
    method: 'GET',
    path: '/v1/platform/conversations/{id}/messages',
    access: 'bot',
    summary: "List a conversation's messages by number",
    params: byId,
    query: T.Object({ ...paging, after: T.Optional(Count) }),
    response: closed({ messages: T.Array(NumberedMessage), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
}
