import { type Static, Type as T } from 'typebox'
import { closed, id, Json, nullable, Timestamp } from '../../fields.ts'
import { ActionRun } from '../bots/action-run.ts'
import { BotLog } from '../bots/bot-log.ts'
import { DeliveryAttempt } from '../bots/dead-letter.ts'
import { Event, EventStatus } from '../conversations/event.ts'
import { Message } from '../conversations/message.ts'
import { ModelCall } from '../language-models/model-gateway.ts'

const count = T.Integer({ minimum: 0 })

/**
 * A request to the API by the code of the bot, or of an integration. Successful requests with an
 * effect in another list of the trace, such as messages, are left out.
 */
const TracedCall = closed({
  startedAt: Timestamp,
  ms: count,
  operation: T.String(),
  /** Ids of the path, and the type or name in the body. */
  subject: T.String(),
  /** Alias; absent for the bot. */
  integration: T.Optional(T.String()),
  status: count,
  error: T.Optional(T.String()),
})

/** A key of a state of the bot. Values are JSON, truncated; null for a missing key. */
const StateChange = closed({
  at: Timestamp,
  /** Type and name of the state, and the id of its subject. */
  state: T.String(),
  key: T.String(),
  from: nullable(T.String()),
  to: nullable(T.String()),
})

/**
 * How the bot handled an event, and the effects. Lists end at 500 items. `turn`: the trace of a flow
 * bot, which has neither `calls` nor `changes`. `failedAttempts`: those of deliveries that ended are
 * kept for a time.
 * @component
 */
export const AnswerTrace = closed({
  event: Event,
  /** Of the last attempt; absent until one has ended. */
  run: T.Optional(closed({ startedAt: Timestamp, ms: count, attempts: count })),
  /** The version that the bot ran then; absent for a state that no version has. */
  version: T.Optional(
    closed({
      id: id('botver'),
      number: T.Optional(T.Integer({ minimum: 1 })),
      name: T.String(),
    }),
  ),
  failedAttempts: T.Array(DeliveryAttempt),
  turn: T.Optional(Json),
  calls: T.Array(TracedCall),
  changes: T.Array(StateChange),
  actions: T.Array(ActionRun),
  modelCalls: T.Array(ModelCall),
  messages: T.Array(Message),
  events: T.Array(
    closed({
      id: id('evt'),
      type: T.String(),
      status: EventStatus,
      createdAt: Timestamp,
    }),
  ),
  logs: T.Array(BotLog),
})
export type AnswerTrace = Static<typeof AnswerTrace>
