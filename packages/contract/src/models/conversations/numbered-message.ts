import { type Static, Type as T } from 'typebox'
import { closed } from '../../fields.ts'
import { Message } from './message.ts'

/**
 * A message with its sequence number in the conversation, which is also the `id:` of its frame in
 * streams. Numbers ascend; gaps belong to other signals of the conversation.
 * @component
 */
export const NumberedMessage = closed({
  number: T.Integer({ minimum: 1 }),
  message: Message,
})
export type NumberedMessage = Static<typeof NumberedMessage>
