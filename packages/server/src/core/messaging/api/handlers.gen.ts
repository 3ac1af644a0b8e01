// Written by `npm run generate` from the files beside it.
import { conversations as chatConversations } from './chat/conversations.ts'
import { events as chatEvents } from './chat/events.ts'
import { messages as chatMessages } from './chat/messages.ts'
import { participants as chatParticipants } from './chat/participants.ts'
import { users as chatUsers } from './chat/users.ts'
import { conversations as liveConversations } from './live/conversations.ts'
import { messages as liveMessages } from './live/messages.ts'
import { deadLetters } from './platform/dead-letters.ts'
import { events as platformEvents } from './platform/events.ts'
import { failures } from './platform/failures.ts'
import { feedback } from './platform/feedback.ts'
import { history } from './platform/history.ts'
import { queue } from './platform/queue.ts'
import { conversations as runtimeConversations } from './runtime/conversations.ts'
import { events as runtimeEvents } from './runtime/events.ts'
import { messages as runtimeMessages } from './runtime/messages.ts'
import { participants as runtimeParticipants } from './runtime/participants.ts'
import { tags } from './runtime/tags.ts'
import { users as runtimeUsers } from './runtime/users.ts'
import { conversations as webchatConversations } from './webchat/conversations.ts'
import { events as webchatEvents } from './webchat/events.ts'
import { files } from './webchat/files.ts'
import { messages as webchatMessages } from './webchat/messages.ts'
import { metrics } from './webchat/metrics.ts'
import { participants as webchatParticipants } from './webchat/participants.ts'
import { users as webchatUsers } from './webchat/users.ts'

export const handlers = {
  chat: {
    conversations: chatConversations,
    events: chatEvents,
    messages: chatMessages,
    participants: chatParticipants,
    users: chatUsers,
  },
  live: {
    conversations: liveConversations,
    messages: liveMessages,
  },
  platform: {
    deadLetters,
    events: platformEvents,
    failures,
    feedback,
    history,
    queue,
  },
  runtime: {
    conversations: runtimeConversations,
    events: runtimeEvents,
    messages: runtimeMessages,
    participants: runtimeParticipants,
    tags,
    users: runtimeUsers,
  },
  webchat: {
    conversations: webchatConversations,
    events: webchatEvents,
    files,
    messages: webchatMessages,
    metrics,
    participants: webchatParticipants,
    users: webchatUsers,
  },
}
