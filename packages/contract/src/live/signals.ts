// Signals that the streams of the Chat API have beside those of the external contract. Clients that
// do not know them ignore them.
import { type Static, Type as T } from 'typebox'
import { closed } from '../fields.ts'

const typing = { conversationId: T.String(), userId: T.String(), isBot: T.Boolean() }

/** A participant or the bot writes. Not stored. Ends after `timeout` milliseconds. */
export const TypingStarted = closed({
  type: T.Literal('typing_started'),
  data: closed({ ...typing, timeout: T.Integer() }),
})

export const TypingStopped = closed({
  type: T.Literal('typing_stopped'),
  data: closed(typing),
})

export const LiveSignal = T.Union([TypingStarted, TypingStopped])
export type LiveSignal = Static<typeof LiveSignal>

const types = new Set<string>(LiveSignal.anyOf.map(({ properties }) => properties.type.const))
export const isLiveSignalType = (type: string) => types.has(type)
