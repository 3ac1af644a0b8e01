// A visitor of a bot's chat: each question is a new conversation.
import { setTimeout as pause } from 'node:timers/promises'
import type { Http } from '../chat.ts'
import { toOneLine } from './companies.ts'

/** The bot's messages after a question. */
export interface Answer {
  /** Texts of all messages, without buttons. */
  text: string
  /** Values of the buttons. */
  buttons: string[]
  /** Whether the bot marked a message as a failed answer. */
  isUnanswered: boolean
}

interface Message {
  payload: unknown
  metadata?: { unanswered?: boolean }
}

const maxMs = 60_000
const pollMs = 50
/** After a message, another one may follow. */
const settleMs = 250

export async function openVisitor(http: Http, chatPath: string) {
  const call = <Reply>(path: string, key: string | null, body?: unknown) => {
    const method = body === undefined ? 'GET' : 'POST'
    const headers: Record<string, string> = key === null ? {} : { 'x-user-key': key }
    return http.call<Reply>(method, `${chatPath}${path}`, headers, body)
  }
  const { key } = await call<{ key: string }>('/users', null, {})
  const open = async () => {
    const path = '/conversations'
    const { conversation } = await call<{ conversation: { id: string } }>(path, key, {})
    return conversation.id
  }
  const list = async (conversationId: string) => {
    const path = `/conversations/${conversationId}/messages`
    const { messages } = await call<{ messages: (Message & { userId: string })[] }>(
      path,
      key,
    )
    const { user } = await me
    return messages.filter(({ userId }) => userId !== user.id)
  }
  const me = call<{ user: { id: string } }>('/users/me', key)
  /** Sends a text, and returns the messages that the bot sends then. */
  const say = async (conversationId: string, text: string): Promise<Answer> => {
    const before = await list(conversationId)
    await call('/messages', key, { conversationId, payload: { type: 'text', text } })
    const end = performance.now() + maxMs
    for (let [count, since] = [before.length, performance.now()]; ; await pause(pollMs)) {
      const messages = await list(conversationId)
      const now = performance.now()
      if (messages.length > count) [count, since] = [messages.length, now]
      const isSettled = count > before.length && now - since > settleMs
      // The newest message is the first.
      if (isSettled) return toAnswer(messages.slice(0, count - before.length).reverse())
      if (now > end)
        throw new Error(`The bot did not answer "${text}" within ${maxMs / 1000} s`)
    }
  }
  return {
    ask: async (text: string) => say(await open(), text),
    /** Asks the question, and clicks the button. */
    click: async (text: string, button: string) => {
      const conversationId = await open()
      await say(conversationId, text)
      return say(conversationId, button)
    },
  }
}

export type Visitor = Awaited<ReturnType<typeof openVisitor>>

function toAnswer(messages: Message[]): Answer {
  const texts: string[] = []
  const buttons: string[] = []
  for (const { payload } of messages) collect(payload, texts, buttons)
  return {
    text: texts.join('\n'),
    buttons,
    isUnanswered: messages.some(({ metadata }) => metadata?.unanswered === true),
  }
}

/** Collects the texts and buttons of a payload of any type. */
function collect(payload: unknown, texts: string[], buttons: string[]) {
  if (typeof payload !== 'object' || payload === null) return
  for (const [name, value] of Object.entries(payload)) {
    if (['text', 'markdown', 'title', 'subtitle'].includes(name))
      texts.push(String(value))
    else if (['options', 'actions'].includes(name))
      buttons.push(...(value as { value: string }[]).map((each) => each.value))
    else if (name === 'items')
      for (const item of value as unknown[]) collect(item, texts, buttons)
  }
}

/** Returns the names of the documents that the answer names as its source. */
export function findSources({ text }: Answer, documents: string[]): string[] {
  const lines = text
    .split('\n')
    .filter((line) => /^\W*(source|quelle|fuente|出典)/iu.test(line))
  const named = documents.filter((name) => {
    const title = name.replace(/\.\w+$/, '')
    return lines.some((line) =>
      new RegExp(`(^|[^\\p{L}\\p{N}-])${title}($|[^\\p{L}\\p{N}-])`, 'u').test(line),
    )
  })
  return [...new Set(named)]
}

export const isMatch = ({ text }: Answer, has: RegExp) => has.test(toOneLine(text))
