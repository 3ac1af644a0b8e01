// A bot at a URL that records its deliveries, and a scene in which chat users talk to it.
import { type ChatPeople, openChatPeople } from './chat-people.ts'
import { type CodeAtUrl, openCodeServer, rejectionResponse } from './code-at-url.ts'
import { openScene, type Scene, type SceneOptions } from './scene.ts'

export interface ReceivedEvent {
  eventId: string
  conversationId: string
  /** The message of the event. */
  messageId: string
  text: string
  /** As the bot received it. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests read single fields of events
  event: Record<string, any>
  /** Times of delivery and response, in milliseconds of this process's monotonic clock. */
  at: number
  answeredAt: number | null
  status: number | null
}

export interface RecordingBot extends CodeAtUrl {
  /** In the order of delivery. */
  received: ReceivedEvent[]
  /** The response status; 200 by default. */
  behave(how: (told: ReceivedEvent) => number | Promise<number>): void
}

export async function openRecordingBot(): Promise<RecordingBot> {
  const received: ReceivedEvent[] = []
  let behaviour: (told: ReceivedEvent) => number | Promise<number> = () => 200
  const code = await openCodeServer(async ({ operation, body }) => {
    if (operation !== 'event_received') return {}
    const { event } = body
    const { message } = event.payload
    const one: ReceivedEvent = {
      eventId: event.id,
      conversationId: event.conversationId,
      messageId: event.messageId ?? message?.id ?? '',
      text: message?.payload?.text ?? '',
      event,
      at: performance.now(),
      answeredAt: null,
      status: null,
    }
    received.push(one)
    const status = await behaviour(one)
    const sent = () => {
      one.answeredAt = performance.now()
      one.status = status
    }
    return { status, sent, ...(status >= 300 && { body: rejectionResponse(status) }) }
  })
  return {
    ...code,
    received,
    behave(how) {
      behaviour = how
    },
  }
}

export interface RecordedScene {
  scene: Scene
  bot: RecordingBot
  people: ChatPeople
  close(): Promise<void>
}

/** Opens a scene with a recording bot and `count` chat users. */
export async function openRecordedScene(
  config: SceneOptions['config'],
  count: number,
): Promise<RecordedScene> {
  const bot = await openRecordingBot()
  const scene = await openScene({ config })
  const chatUrl = `${await scene.listen()}/chat/${scene.webhookId}`
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { url: bot.url },
  })
  const people = await openChatPeople(() => chatUrl, count)
  return {
    scene,
    bot,
    people,
    async close() {
      people.close()
      await scene.close()
      await bot.close()
    },
  }
}
