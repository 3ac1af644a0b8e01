// Shows the people of a conversation that its user writes, as the chat page does.
import type { Client } from '@botstead/client'
import { openTyping } from 'page/typing.js'
import { useCallback, useEffect, useRef } from 'react'
import type { ChatSession } from './chat-session.ts'

/** Returns a function that takes each text of the field. Nothing is sent before the conversation begins. */
export function useTyping(
  client: Client,
  webhookId: string,
  session: ChatSession | null,
) {
  const typing = useRef<ReturnType<typeof openTyping>>(null)
  useEffect(() => {
    if (!session) return
    const params = { webhookId, id: session.conversationId }
    const options = { headers: { 'x-user-key': session.userKey } }
    const opened = openTyping((isTyping) =>
      client.live.setTyping({ params, body: { isTyping } }, options),
    )
    typing.current = opened
    return () => {
      opened.end()
      typing.current = null
    }
  }, [client, webhookId, session])
  return useCallback((text: string) => {
    if (text === '') typing.current?.end()
    else typing.current?.note()
  }, [])
}
