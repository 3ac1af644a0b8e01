// The messages of the emulator's conversation: those of the server, and those being sent.

import type { Client } from '@botstead/client'
import { readEvents } from '@botstead/client'
import type { ChatMessage } from '@botstead/contract'
import { newId } from 'page/ids.js'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { useIsVisible } from '../../api/shown.ts'
import {
  type ChatSession,
  findChatSession,
  leaveConversation,
  startConversation,
} from './chat-session.ts'

export interface Entry {
  id: string
  payload: unknown
  isOwn: boolean
  state: 'stored' | 'sending' | 'failed' | 'growing'
  /** Of a stored message. */
  createdAt?: string
}

type Change =
  /** The end of the history was read. Older messages and those that were not sent stay. */
  | { type: 'reset'; entries: Entry[]; older: string | undefined }
  /** The page before the first message was read, by this token. */
  | { type: 'older'; token: string; entries: Entry[]; older: string | undefined }
  | { type: 'clear' }
  | { type: 'add'; entry: Entry; replaces?: string }
  | { type: 'remove'; id: string }
  | { type: 'change'; id: string; payload: unknown }
  | { type: 'grow'; id: string; delta: string }
  | { type: 'fail'; id: string }

function change(entries: Entry[], made: Change): Entry[] {
  switch (made.type) {
    case 'reset': {
      const known = entries.findIndex(({ id }) => id === made.entries[0]?.id)
      const older = entries.slice(0, Math.max(known, 0))
      const unsent = entries.slice(older.length).filter(({ state }) => isUnsent(state))
      return [...older, ...made.entries, ...unsent]
    }
    case 'older':
      return [...made.entries, ...entries]
    case 'clear':
      return []
    case 'add':
      return add(entries, made.entry, made.replaces)
    case 'remove':
      return entries.filter(({ id }) => id !== made.id)
    case 'change':
      return entries.map((each) =>
        each.id === made.id ? { ...each, payload: made.payload } : each,
      )
    case 'fail':
      return entries.map((each) =>
        each.id === made.id ? { ...each, state: 'failed' } : each,
      )
    case 'grow': {
      const known = entries.find(({ id }) => id === made.id)
      const text = `${(known?.payload as { text: string } | undefined)?.text ?? ''}${made.delta}`
      const grown: Entry = {
        id: made.id,
        payload: { type: 'text', text },
        isOwn: false,
        state: 'growing',
      }
      return known
        ? entries.map((each) => (each === known ? grown : each))
        : [...entries, grown]
    }
  }
}

interface History {
  entries: Entry[]
  /** The token of the page before the first message, if there is one. */
  older: string | undefined
}

function changeHistory(history: History, made: Change): History {
  // Of a conversation that the member has left.
  if (made.type === 'older' && made.token !== history.older) return history
  const entries = change(history.entries, made)
  if (made.type === 'clear') return { entries, older: undefined }
  const begins =
    made.type === 'older' || (made.type === 'reset' && isFirst(made.entries, entries))
  return { entries, older: begins ? made.older : history.older }
}

const isFirst = ([first]: Entry[], entries: Entry[]) => first?.id === entries[0]?.id

/**
 * Adds a stored message, or puts it in the place of its former entry. The signal of an own message
 * may arrive before the response that names its id: then its payload finds the entry being sent.
 */
function add(entries: Entry[], entry: Entry, replaces: string | undefined): Entry[] {
  const others = entries.filter(({ id }) => id !== replaces)
  const isKnown = others.some(({ id }) => id === entry.id)
  if (isKnown) return others.map((each) => (each.id === entry.id ? entry : each))
  const payload = JSON.stringify(entry.payload)
  const place = entries.findIndex(({ id, state, payload: sent, isOwn }) =>
    replaces
      ? id === replaces
      : entry.isOwn && isOwn && state === 'sending' && JSON.stringify(sent) === payload,
  )
  return place < 0 ? [...entries, entry] : entries.with(place, entry)
}

const isUnsent = (state: Entry['state']) => state === 'failed' || state === 'sending'

const maxPauseMs = 5_000
const typingMs = 10_000

/** The conversation of this browser, which the first message begins. */
function useConversation(client: Client, webhookId: string, name: string) {
  const [isReady, setReady] = useState(false)
  const [session, setSession] = useState<ChatSession | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const starting = useRef<Promise<ChatSession> | null>(null)

  useEffect(() => {
    let isCurrent = true
    findChatSession(client, webhookId).then(
      (found) => {
        if (!isCurrent) return
        setSession(found)
        setReady(true)
      },
      (failure: Error) => isCurrent && setError(failure),
    )
    return () => {
      isCurrent = false
    }
  }, [client, webhookId])

  /** Messages that are sent at once share the conversation. */
  const begin = useCallback(async () => {
    if (session) return session
    starting.current ??= startConversation(client, webhookId, name).finally(() => {
      starting.current = null
    })
    const started = await starting.current
    setSession(started)
    return started
  }, [client, webhookId, name, session])

  const leave = () => {
    if (session) leaveConversation(webhookId, session)
    setSession(null)
  }
  return { isReady, session, error, begin, leave }
}

interface ChatOptions {
  webhookId: string
  /** Of the user that people are for their bot. */
  name: string
  /** Of their browser, in place of the real one. */
  language: string | undefined
  /** A message is sent when it has ended. Must not throw. */
  beforeSend: (() => Promise<void>) | undefined
}

/** Whether the bot writes; without further news, it has ended. */
function useTyping() {
  const [isTyping, setTyping] = useState(false)
  useEffect(() => {
    if (!isTyping) return
    const timer = setTimeout(() => setTyping(false), typingMs)
    return () => clearTimeout(timer)
  }, [isTyping])
  return [isTyping, setTyping] as const
}

export function useChat(
  client: Client,
  { webhookId, name, language, beforeSend }: ChatOptions,
) {
  const { begin, leave, ...conversation } = useConversation(client, webhookId, name)
  const { session } = conversation
  const [{ entries, older }, dispatch] = useReducer(changeHistory, {
    entries: [],
    older: undefined,
  })
  const [isOnline, setOnline] = useState(true)
  const [isTyping, setTyping] = useTyping()

  const isVisible = useIsVisible()
  useEffect(() => {
    if (!session || !isVisible) return
    const ended = new AbortController()
    const { signal } = ended
    void listen({ client, webhookId, session, signal, dispatch, setOnline, setTyping })
    return () => ended.abort()
  }, [client, webhookId, session, isVisible, setTyping])

  const send = useCallback(
    async (written: Record<string, unknown>) => {
      const payload =
        language === undefined ? written : { ...written, metadata: { language } }
      const id = `sending-${newId()}`
      dispatch({ type: 'add', entry: { id, payload, isOwn: true, state: 'sending' } })
      try {
        await beforeSend?.()
        const { conversationId, userKey, userId } = await begin()
        const body = { conversationId, payload: payload as ChatMessage['payload'] }
        const { message } = await client.chat.createMessage(
          { params: { webhookId }, body },
          { headers: { 'x-user-key': userKey, 'idempotency-key': id } },
        )
        dispatch({ type: 'add', entry: toEntry(message, userId), replaces: id })
      } catch {
        dispatch({ type: 'fail', id })
      }
    },
    [client, webhookId, begin, language, beforeSend],
  )
  const resend = (entry: Entry) => {
    dispatch({ type: 'remove', id: entry.id })
    void send(entry.payload as Record<string, unknown>)
  }
  const readOlder = async (
    token: string,
    { conversationId, userKey, userId }: ChatSession,
  ) => {
    const request = { params: { webhookId, conversationId }, query: { nextToken: token } }
    const { messages, meta } = await client.chat.listMessages(request, {
      headers: { 'x-user-key': userKey },
    })
    const entries = messages.map((message) => toEntry(message, userId)).reverse()
    dispatch({ type: 'older', token, entries, older: meta.nextToken })
  }
  const startOver = () => {
    leave()
    setOnline(true)
    setTyping(false)
    dispatch({ type: 'clear' })
  }
  return {
    ...conversation,
    entries,
    isOnline,
    isTyping,
    send,
    resend,
    startOver,
    /** Without a function, there are no older messages. */
    readOlder: older && session ? () => readOlder(older, session) : undefined,
  }
}

const toEntry = (
  {
    id,
    payload,
    userId,
    createdAt,
  }: Pick<ChatMessage, 'id' | 'payload' | 'userId' | 'createdAt'>,
  own: string,
): Entry => ({
  id,
  payload,
  isOwn: userId === own,
  state: 'stored',
  createdAt,
})

interface Listening {
  client: Client
  webhookId: string
  session: ChatSession
  signal: AbortSignal
  dispatch: (made: Change) => void
  setOnline: (is: boolean) => void
  setTyping: (is: boolean) => void
}

/** Reads the history, then follows the stream. After an interruption, both again. */
async function listen(listening: Listening) {
  const { client, webhookId, session, signal, setOnline } = listening
  const options = { signal, headers: { 'x-user-key': session.userKey } }
  const params = { webhookId, id: session.conversationId }
  for (let pauseMs = 300; !signal.aborted; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      const stream = await client.chat.listenConversation({ params }, options)
      await readHistory(listening)
      setOnline(true)
      pauseMs = 300
      for await (const { data } of readEvents(stream))
        if (data.startsWith('{')) receive(listening, JSON.parse(data))
    } catch {
      // The next attempt shows whether it was an interruption.
    }
    if (signal.aborted) return
    setOnline(false)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

async function readHistory({ client, webhookId, session, signal, dispatch }: Listening) {
  const { messages, meta } = await client.chat.listMessages(
    { params: { webhookId, conversationId: session.conversationId } },
    { signal, headers: { 'x-user-key': session.userKey } },
  )
  const entries = messages.map((message) => toEntry(message, session.userId)).reverse()
  dispatch({ type: 'reset', entries, older: meta.nextToken })
}

interface Signal {
  type: string
  data: ChatMessage & {
    streamId: string
    sequence: number
    delta: string
    isBot: boolean
    message: ChatMessage
  }
}

function receive({ session, dispatch, setTyping }: Listening, { type, data }: Signal) {
  if (type === 'message_created') {
    if (data.userId !== session.userId) setTyping(false)
    dispatch({ type: 'add', entry: toEntry(data, session.userId) })
  } else if (type === 'message_updated')
    dispatch({ type: 'change', id: data.id, payload: data.payload })
  else if (type === 'message_deleted') dispatch({ type: 'remove', id: data.id })
  else if (type === 'message_stream_delta')
    dispatch({ type: 'grow', id: data.streamId, delta: data.delta })
  else if (type === 'message_stream_complete' || type === 'message_stream_abort')
    dispatch({ type: 'remove', id: data.streamId })
  else if (type === 'typing_started' && data.isBot) setTyping(true)
  else if (type === 'typing_stopped' && data.isBot) setTyping(false)
}
