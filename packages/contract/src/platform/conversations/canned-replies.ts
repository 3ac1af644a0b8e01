import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../../fields.ts'
import { CannedReply, newCannedReply } from '../../models/conversations/canned-reply.ts'
import { operation } from '../../operation.ts'

const { name, text } = newCannedReply
const response = closed({ cannedReply: CannedReply })

export const cannedReplies = {
  listCannedReplies: operation({
    method: 'GET',
    path: '/v1/platform/canned-replies',
    access: 'bot',
    permission: 'conversations.read',
    summary: "List a bot's canned replies by name",
    query: T.Object(paging),
    response: closed({ cannedReplies: T.Array(CannedReply), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  createCannedReply: operation({
    method: 'POST',
    path: '/v1/platform/canned-replies',
    access: 'bot',
    permission: 'replies.write',
    summary: 'Create a canned reply',
    body: closed(newCannedReply),
    status: 201,
    response,
    errors: ['AlreadyExists'],
  }),
  updateCannedReply: operation({
    method: 'PUT',
    path: '/v1/platform/canned-replies/{id}',
    access: 'bot',
    permission: 'replies.write',
    summary: 'Update a canned reply',
    params: byId,
    body: closed({ name: T.Optional(name), text: T.Optional(text) }),
    response,
    errors: ['ResourceNotFound', 'AlreadyExists'],
  }),
  deleteCannedReply: operation({
    method: 'DELETE',
    path: '/v1/platform/canned-replies/{id}',
    access: 'bot',
    permission: 'replies.write',
    summary: 'Delete a canned reply',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
