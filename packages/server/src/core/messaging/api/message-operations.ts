// Operations that write one message, with an Idempotency-Key.
import { keyedCreateMessage as keyedCreateChatMessage } from './chat/messages.ts'
import { keyedCreateMessage } from './runtime/messages.ts'
import { keyedCreateMessage as keyedCreateWebchatMessage } from './webchat/messages.ts'

export const messageOperations = {
  'runtime.createMessage': keyedCreateMessage,
  'chat.createMessage': keyedCreateChatMessage,
  'webchat.createMessage': keyedCreateWebchatMessage,
}
