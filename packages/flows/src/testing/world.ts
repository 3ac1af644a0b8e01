// The in-memory server of a conversation script. Its clock advances only by `wait` steps.
import { Cron } from 'croner'
import { scheduleType } from '../document/derived.ts'
import type { FlowDocument } from '../document/document.ts'
import type { DeliveredEvent } from '../engine/event-types.ts'
import type { Json, Platform } from '../engine/platform.ts'
import type { ConversationScript } from './conversation-script.ts'
import {
  type MemoryHandoff,
  type MemoryPlatform,
  openMemoryPlatform,
  type SentMessage,
} from './memory-platform.ts'
import { answerFrom, openTables, type ScriptReplies } from './operations.ts'

export type ScriptEvent = Omit<DeliveredEvent, 'id' | 'createdAt'>

export interface World {
  platform: Platform
  now: () => number
  sent: SentMessage[]
  /** Of models. */
  replies: ScriptReplies
  createEvent(event: ScriptEvent): DeliveredEvent
  /**
   * Returns the next event due until then and sets the clock to its time. Returns null if there is
   * none.
   */
  next(until: number): DeliveredEvent | null
  variables(): Record<string, Json>
  /** Returns the tags of the script with the changes that the bot made. */
  getTags(kind: 'user' | 'conversation'): Record<string, string>
  getRows(table: string): Json[]
  /** Of the conversation. */
  openHandoff(): MemoryHandoff | undefined
}

export const ids = { bot: 'bot_test', user: 'user_1', conversation: 'conv_1' }

export function openWorld(document: FlowDocument, script: ConversationScript): World {
  let time = script.now
  let count = 0
  const now = () => time
  const tables = openTables(document, script, now)
  const replies: ScriptReplies = { left: [...script.models], fault: null }
  const others = answerFrom(document, script, { tables, replies })
  const server = openMemoryPlatform({ now, others })
  const ticks = toTicks(document, time)

  const createEvent: World['createEvent'] = (event) => ({
    ...event,
    id: `evt_${++count}`,
    createdAt: new Date(time).toISOString(),
  })

  return {
    platform: server.platform,
    now,
    sent: server.sent,
    replies,
    createEvent,
    getRows: tables.getRows,
    openHandoff: () => server.handoffs.find(({ isOpen }) => isOpen),
    next(until) {
      const [first] = pending(server, ticks)
        .filter(({ at }) => at <= until)
        .sort((a, b) => a.at - b.at)
      time = Math.max(time, first?.at ?? until)
      return first ? createEvent(first.take()) : null
    },
    variables: () => variablesIn((key) => server.states.get(key)?.payload),
    getTags(kind) {
      const changes = server.calls
        .filter(
          ({ method, path }) =>
            method === 'PUT' && path === `/v1/chat/${kind}s/${ids[kind]}`,
        )
        .map(({ body }) => (body as Json).tags as Json)
      return Object.assign({}, kind === 'user' ? script.userTags : {}, ...changes)
    },
  }
}

/** Returns everything with a due time: scheduled events, expiring states, schedules. */
function pending(
  { scheduled, states }: MemoryPlatform,
  ticks: Tick[],
): { at: number; take: () => ScriptEvent }[] {
  return [
    ...scheduled.map((event) => ({ at: event.at, take: () => take(scheduled, event) })),
    ...[...states].map(([key, { expiresAt }]) => ({
      at: expiresAt,
      take: () => expire(states, key),
    })),
    ...ticks.map((tick) => ({ at: tick.at, take: () => advance(tick) })),
  ]
}

function take(
  scheduled: MemoryPlatform['scheduled'],
  event: MemoryPlatform['scheduled'][number],
): ScriptEvent {
  scheduled.splice(scheduled.indexOf(event), 1)
  const { type, payload, conversationId, userId } = event
  return { type, payload, conversationId, userId }
}

function expire(states: MemoryPlatform['states'], key: string): ScriptEvent {
  const [type, id, name] = key.split('/').map(decodeURIComponent)
  states.delete(key)
  return {
    type: 'state_expired',
    payload: { state: { type, id, name } },
    ...(type === 'conversation' && { conversationId: id }),
    ...(type === 'user' && { userId: id }),
  }
}

/** A schedule of the document. */
interface Tick {
  name: string
  at: number
  payload: Json
  after(time: number): number
}

function advance(tick: Tick): ScriptEvent {
  tick.at = tick.after(tick.at)
  return { type: scheduleType(tick.name), payload: tick.payload }
}

function toTicks({ triggers = {} }: FlowDocument, now: number): Tick[] {
  return Object.entries(triggers).flatMap(([name, trigger]) => {
    if (trigger.type !== 'schedule') return []
    const cron = new Cron(trigger.cron, { mode: '5-part', utcOffset: 0, paused: true })
    const after = (time: number) =>
      cron.nextRun(new Date(time))?.getTime() ?? Number.POSITIVE_INFINITY
    return [{ name, after, at: after(now), payload: trigger.payload ?? {} }]
  })
}

/** Reads the variables from the engine's states. */
function variablesIn(payloadAt: (key: string) => Json | undefined): Record<string, Json> {
  const { variables, session, stack } = (payloadAt(
    `conversation/${ids.conversation}/flows.conversation`,
  ) ?? {}) as {
    variables?: Json
    session?: Json
    stack?: { variables: Json }[]
  }
  return {
    workflow: stack?.at(-1)?.variables ?? {},
    conversation: variables ?? {},
    session: session ?? {},
    user: payloadAt(`user/${ids.user}/flows.user`) ?? {},
    bot: payloadAt(`bot/${ids.bot}/flows.bot`) ?? {},
  }
}
