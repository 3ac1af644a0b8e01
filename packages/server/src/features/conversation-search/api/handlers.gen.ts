// Written by `npm run generate` from the files beside it.
import { conversations } from './platform/conversations.ts'
import { users } from './platform/users.ts'

export const handlers = {
  platform: {
    conversations,
    users,
  },
}
