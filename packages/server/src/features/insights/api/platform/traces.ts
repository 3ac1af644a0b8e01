import type { AnswerTrace, Handlers, platform } from '@botstead/contract'
import { botLogs, findVersionAt, toBotLog } from '../../../../core/bots/index.ts'
import { type Contexts, operated, type Services } from '../../../../core/http/index.ts'
import {
  findEvent,
  findEventOfMessage,
  messageStore,
  noEvent,
  toMessage,
} from '../../../../core/messaging/index.ts'
import { listSubjectAttempts } from '../../../../core/queue/index.ts'
import { listEventCalls } from '../../../models/index.ts'
import { listCausedRuns } from '../../action-runs.ts'
import {
  type CausedEventRow,
  type EventRun,
  findEventRun,
  listCausedEvents,
  listCausedMessages,
} from '../../caused.ts'
import {
  listTracedEntries,
  type TracedCall,
  type TracedChange,
} from '../../event-traces.ts'
import { findTurn } from '../../observations.ts'
import { toActionRun } from '../admin/action-runs.ts'

/** Items of each list. */
const limit = 500

export const traces: Handlers<typeof platform.traces, Contexts> = {
  async getEventTrace({ services, caller }, { params }) {
    const trace = await findTrace(services, operated(caller), params.id)
    if (!trace) throw noEvent(params.id)
    return { trace }
  },

  async getMessageTrace({ services, caller }, { params }) {
    const botId = operated(caller)
    const message = await messageStore.find(services.db, botId, params.id)
    const eventId = await findEventOfMessage(services.db, message)
    const [trace, attempts] = await Promise.all([
      eventId === null ? null : findTrace(services, botId, eventId),
      listSubjectAttempts(services.database, 'message', { botId, id: message.id }),
    ])
    return { message: toMessage(message), trace, failedAttempts: attempts }
  },
}

/** Returns null for an unknown event. */
async function findTrace(
  { db, database }: Services,
  botId: string,
  eventId: string,
): Promise<AnswerTrace | null> {
  const event = await findEvent(db, botId, eventId)
  if (!event) return null
  const [run, attempts, turn, traced, runs, calls, messages, events, logs] =
    await Promise.all([
      findEventRun(db, botId, eventId),
      listSubjectAttempts(database, 'event', { botId, id: eventId }),
      findTurn(db, botId, eventId),
      listTracedEntries(db, botId, eventId, limit),
      listCausedRuns(db, botId, eventId, limit),
      listEventCalls(db, botId, eventId, limit),
      listCausedMessages(db, botId, eventId, limit),
      listCausedEvents(db, botId, eventId, limit),
      botLogs.listOfEvent(db, botId, eventId, limit),
    ])
  const version = run && (await findVersionAt(db, botId, run.started_at))
  return {
    event,
    ...(run && { run: toRun(run) }),
    ...(version && { version: toVersion(version) }),
    failedAttempts: attempts,
    ...(turn && { turn }),
    calls: traced.calls.map(toCall),
    changes: traced.changes.map(toChange),
    actions: runs.map(toActionRun),
    modelCalls: calls,
    messages: messages.map((row) => toMessage(row)),
    events: events.map(toCausedEvent),
    logs: logs.map(toBotLog),
  }
}

const toVersion = ({
  id,
  number,
  name,
}: {
  id: string
  number: number | null
  name: string
}) => ({
  id,
  ...(number !== null && { number }),
  name,
})

const toRun = ({ started_at, ms, attempts }: EventRun) => ({
  startedAt: started_at.toISOString(),
  ms,
  attempts,
})

const toCall = ({ at, integration, error, ...call }: TracedCall) => ({
  startedAt: new Date(at).toISOString(),
  ...call,
  ...(integration !== null && { integration }),
  ...(error !== null && { error }),
})

const toChange = ({ at, ...change }: TracedChange) => ({
  at: new Date(at).toISOString(),
  ...change,
})

const toCausedEvent = ({ id, type, status, created_at }: CausedEventRow) => ({
  id,
  type,
  status,
  createdAt: created_at.toISOString(),
})
