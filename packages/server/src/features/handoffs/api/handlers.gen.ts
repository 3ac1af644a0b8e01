// Written by `npm run generate` from the files beside it.
import { cannedReplies } from './platform/canned-replies.ts'
import { conversationNotes } from './platform/conversation-notes.ts'
import { handoffs } from './platform/handoffs.ts'

export const handlers = {
  platform: {
    cannedReplies,
    conversationNotes,
    handoffs,
  },
}
