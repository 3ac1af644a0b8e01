// Written by `npm run generate` from the files beside it.
import { cannedReplies } from './platform/canned-replies.ts'
import { conversationNotes } from './platform/conversation-notes.ts'
import { conversations } from './platform/conversations.ts'
import { handoffs } from './platform/handoffs.ts'
import { users } from './platform/users.ts'

export const handlers = {
  platform: {
    cannedReplies,
    conversationNotes,
    conversations,
    handoffs,
    users,
  },
}
