import { type Static, Type as T } from 'typebox'
import { closed } from '../fields.ts'
import { Message } from './message.ts'

/** A message and its place in the conversation: ascending, with gaps where something else happened there, and the `id:` of its frame in streams. */
export const NumberedMessage = closed({ number: T.Integer({ minimum: 1 }), message: Message })
export type NumberedMessage = Static<typeof NumberedMessage>
