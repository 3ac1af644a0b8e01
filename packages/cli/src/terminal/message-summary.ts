// Summarizes a message in a line of a list.
import type { Client } from '@botstead/client'
import { toJson } from './printing.ts'

type Message = Awaited<ReturnType<Client['runtime']['getMessage']>>['message']

/** Returns the text of a message, or its type and payload; an empty text for no message. */
export const toSummary = (
  message: Pick<Message, 'type' | 'payload'> | undefined,
): string => {
  if (!message) return ''
  const { type, payload } = message
  return typeof payload.text === 'string' ? payload.text : `[${type}] ${toJson(payload)}`
}
