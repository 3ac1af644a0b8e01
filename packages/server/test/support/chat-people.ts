// Chat users that send messages without a client library. Their record of requests and responses is
// compared with the database and the bot. They never repeat a request that may have arrived.
import { setMaxListeners } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export interface SentText {
  text: string
  /** Null without a response. */
  status: number | null
  /** The id in the response, if the message was accepted. */
  messageId: string | null
  /** In milliseconds of the monotonic clock. */
  at: number
  answeredAt: number
}

export interface Person {
  key: string
  conversationId: string
  said: SentText[]
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the tests read single fields of responses
  body: Record<string, any>
}

export interface ChatPeople {
  people: Person[]
  say(person: Person, text: string): Promise<SentText>
  /**
   * Each sends one message after another until stopped, with a short pause while the server is
   * down.
   */
  talk(pauseMs: number, stop: AbortSignal): Promise<void>
  call(method: string, path: string, key: string | null, body?: unknown): Promise<Answer>
  close(): void
}

/** Calls `chatUrl` for each request, because a restarted server may have another URL. */
const openCaller =
  (chatUrl: () => string, agent: Agent): ChatPeople['call'] =>
  (method, path, key, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...(key && { 'x-user-key': key }),
      }
      const sent = request(
        `${chatUrl()}${path}`,
        { method, agent, headers, timeout: 20_000 },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const answer = Buffer.concat(chunks).toString()
            // A proxy in front answers with a page while the server is down.
            const isJson = response.headers['content-type']?.includes('json')
            resolve({
              status: response.statusCode ?? 0,
              body: isJson ? JSON.parse(answer) : {},
            })
          })
        },
      )
      sent.on('error', reject)
      sent.on('timeout', () => sent.destroy(new Error('no answer')))
      sent.end(text)
    })

export async function openChatPeople(
  chatUrl: () => string,
  count: number,
): Promise<ChatPeople> {
  const agent = new Agent({ keepAlive: true, maxSockets: count + 10 })
  const call = openCaller(chatUrl, agent)

  const arrive = async (): Promise<Person> => {
    const { body } = await call('POST', '/users', null, {})
    const { body: made } = await call('POST', '/conversations', body.key, {})
    return { key: body.key, conversationId: made.conversation.id, said: [] }
  }
  const say: ChatPeople['say'] = async (person, text) => {
    const at = performance.now()
    const body = {
      conversationId: person.conversationId,
      payload: { type: 'text', text },
    }
    const answer = await call('POST', '/messages', person.key, body).catch(() => null)
    const one: SentText = {
      text,
      status: answer?.status ?? null,
      messageId: answer?.body.message?.id ?? null,
      at,
      answeredAt: performance.now(),
    }
    person.said.push(one)
    return one
  }
  const people: Person[] = []
  for (let i = 0; i < count; i++) people.push(await arrive())

  return {
    people,
    say,
    call,
    async talk(pauseMs, stop) {
      // All chat users listen to this signal at once.
      setMaxListeners(0, stop)
      await Promise.all(
        people.map(async (person, who) => {
          while (!stop.aborted) {
            const { status } = await say(person, `${who}-${person.said.length}`)
            const pauseNow =
              status === null || status >= 500 ? 100 : pauseMs * 2 * Math.random()
            await pause(pauseNow, undefined, { signal: stop }).catch(() => {})
          }
        }),
      )
    },
    close: () => agent.destroy(),
  }
}
