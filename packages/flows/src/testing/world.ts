// The in-memory server of a conversation script. Its clock advances only by `wait` steps.
import { Cron } from 'croner'
import { scheduleType } from '../derived.ts'
import type { FlowDocument } from '../document.ts'
import type { DeliveredEvent } from '../event.ts'
import { openMemoryPlatform, type SentMessage } from '../memory-platform.ts'
import { type Json, type Platform, type PlatformCall, PlatformRejection } from '../platform.ts'
import { tableInMemory } from './rows.ts'
import type { ConversationScript } from './script.ts'

export type ScriptEvent = Omit<DeliveredEvent, 'id' | 'createdAt'>

export interface World {
  platform: Platform
  now: () => number
  sent: SentMessage[]
  createEvent(event: ScriptEvent): DeliveredEvent
  /**
   * Returns the next event due until then and sets the clock to its time. Returns null if there is
   * none.
   */
  next(until: number): DeliveredEvent | null
  variables(): Record<string, Json>
  /** Returns the tags of the script with the changes that the bot made. */
  tagsOf(kind: 'user' | 'conversation'): Record<string, string>
  rowsOf(table: string): Json[]
}

export const ids = { bot: 'bot_test', user: 'user_1', conversation: 'conv_1' }

export function openWorld(document: FlowDocument, script: ConversationScript): World {
  let time = script.now
  let count = 0
  const now = () => time
  const tables = new Map(
    [...Object.keys(document.tables ?? {}), ...Object.keys(script.tables)].map((name) => [
      name,
      tableInMemory(now, script.tables[name] ?? []),
    ]),
  )
  const tableOf = (name: string) =>
    there(tables.get(name), `The table "${name}" does not exist. Declare it in the document`)
  const server = openMemoryPlatform({ now, others: (call) => answerOf(call) })
  const ticks = ticksOf(document, time)

  function answerOf({ method, path, body }: PlatformCall): Json {
    const [pathname = '', search] = path.split('?')
    const query = new URLSearchParams(search)
    const given = (body ?? {}) as Json
    const [, table, rest] = /^\/v1\/tables\/([^/]+)(.*)$/.exec(pathname) ?? []
    if (table) return onTable(decodeURIComponent(table), `${method} ${rest}`, given, query)
    if (pathname === '/v1/files/search') return { passages: passagesFor(script.knowledge, query) }
    if (pathname === '/v1/files/knowledge-bases')
      return { knowledgeBases: knowledgeBases(document, script), meta: {} }
    if (pathname === '/v1/chat/actions') return callAction(String(given.type))
    throw new PlatformRejection(
      501,
      'NotImplemented',
      `Conversation scripts do not support ${method} ${pathname}`,
    )
  }

  function callAction(type: string): Json {
    const output = there(
      Object.hasOwn(script.actions, type) ? script.actions[type] : undefined,
      `The script has no output for the action "${type}". Add it to \`actions\``,
    )
    if (typeof output.error === 'string') throw new PlatformRejection(400, 'Runtime', output.error)
    return { output }
  }

  function onTable(
    name: string,
    what: string,
    { rows = [], ...given }: Json,
    query: URLSearchParams,
  ): Json {
    const table = tableOf(name)
    const all = rows as Json[]
    const keyColumn = String(given.keyColumn ?? document.tables?.[name]?.keyColumn ?? 'id')
    const answers: Record<string, () => Json> = {
      'POST /rows': () => ({ rows: all.map(table.create) }),
      'POST /rows/find': () => ({ rows: table.find(given), hasMore: false }),
      'POST /rows/upsert': () => ({ rows: all.map((row) => table.upsert(row, keyColumn)) }),
      'POST /rows/delete': () => ({ deletedRows: table.remove(given) }),
      'PUT /rows': () => ({ rows: all.flatMap((row) => table.update(row) ?? []) }),
      'GET /row': () => ({ row: there(table.get(query.get('id')), 'The row does not exist') }),
    }
    if (!Object.hasOwn(answers, what))
      throw new PlatformRejection(
        501,
        'NotImplemented',
        `Conversation scripts do not support ${what} of a table`,
      )
    return structuredClone(answers[what]!())
  }

  const createEvent: World['createEvent'] = (event) => ({
    ...event,
    id: `evt_${++count}`,
    createdAt: new Date(time).toISOString(),
  })

  /** Returns everything with a due time: scheduled events, expiring states, schedules. */
  const waiting = () => [
    ...server.scheduled.map((event) => ({
      at: event.at,
      take: () => take(server.scheduled, event),
    })),
    ...[...server.states].map(([key, { expiresAt }]) => ({
      at: expiresAt,
      take: () => expire(key),
    })),
    ...ticks.map((tick) => ({ at: tick.at, take: () => advance(tick) })),
  ]

  function take(
    scheduled: typeof server.scheduled,
    event: (typeof scheduled)[number],
  ): ScriptEvent {
    scheduled.splice(scheduled.indexOf(event), 1)
    const { type, payload, conversationId, userId } = event
    return { type, payload, conversationId, userId }
  }

  function expire(key: string): ScriptEvent {
    const [type, id, name] = key.split('/').map(decodeURIComponent)
    server.states.delete(key)
    return {
      type: 'state_expired',
      payload: { state: { type, id, name } },
      ...(type === 'conversation' && { conversationId: id }),
      ...(type === 'user' && { userId: id }),
    }
  }

  function advance(tick: (typeof ticks)[number]): ScriptEvent {
    tick.at = tick.after(tick.at)
    return { type: scheduleType(tick.name), payload: tick.payload }
  }

  return {
    platform: server.platform,
    now,
    sent: server.sent,
    createEvent,
    rowsOf: (name) => tableOf(name).rows,
    next(until) {
      const [first] = waiting()
        .filter(({ at }) => at <= until)
        .sort((a, b) => a.at - b.at)
      time = Math.max(time, first?.at ?? until)
      return first ? createEvent(first.take()) : null
    },
    variables: () => variablesIn((key) => server.states.get(key)?.payload),
    tagsOf(kind) {
      const changes = server.calls
        .filter(({ method, path }) => method === 'PUT' && path === `/v1/chat/${kind}s/${ids[kind]}`)
        .map(({ body }) => (body as Json).tags as Json)
      return Object.assign({}, kind === 'user' ? script.userTags : {}, ...changes)
    },
  }
}

function ticksOf({ triggers = {} }: FlowDocument, now: number) {
  return Object.entries(triggers).flatMap(([name, trigger]) => {
    if (trigger.type !== 'schedule') return []
    const cron = new Cron(trigger.cron, { mode: '5-part', utcOffset: 0, paused: true })
    const after = (time: number) =>
      cron.nextRun(new Date(time))?.getTime() ?? Number.POSITIVE_INFINITY
    return [{ name, after, at: after(now), payload: trigger.payload ?? {} }]
  })
}

function knowledgeBases({ knowledgeBases = {} }: FlowDocument, { knowledge }: ConversationScript) {
  const declared = Object.entries(knowledgeBases).map(([name, base]) => base.name ?? name)
  return [...new Set([...declared, ...Object.keys(knowledge)])].map((name) => ({
    id: `kb_${name}`,
    name,
  }))
}

/** Ranks passages by the share of the query's words that they contain. */
function passagesFor(knowledge: ConversationScript['knowledge'], query: URLSearchParams): Json[] {
  const { kbId } = JSON.parse(query.get('tags') ?? '{}') as { kbId?: string[] | string }
  const words = [
    ...new Set((query.get('query') ?? '').toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []),
  ]
  const passages = Object.entries(knowledge).flatMap(([name, held]) =>
    held.map(({ title, content }, index) => {
      const text = `${title ?? ''} ${content}`.toLowerCase()
      const file = {
        id: `file_${name}_${index}`,
        key: `${name}/${index}`,
        tags: { kbId: `kb_${name}`, ...(title && { title }) },
      }
      return {
        content,
        score: words.filter((word) => text.includes(word)).length / Math.max(1, words.length),
        file,
      }
    }),
  )
  const wanted = passages.filter(
    ({ score, file }) =>
      score > 0 && (kbId === undefined || [kbId].flat().includes(file.tags.kbId)),
  )
  return wanted.sort((a, b) => b.score - a.score).slice(0, Number(query.get('limit') ?? 20))
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

function there<Value>(value: Value | undefined, message: string): Value {
  if (value === undefined) throw new PlatformRejection(404, 'ResourceNotFound', message)
  return value
}
