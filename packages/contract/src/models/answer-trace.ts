import { type Static, Type as T } from 'typebox'
import { closed, id, Json, Timestamp } from '../fields.ts'
import { ActionRun } from './action-run.ts'
import { BotLog } from './bot-log.ts'
import { DeliveryAttempt } from './dead-letter.ts'
import { Event, EventStatus } from './event.ts'
import { Message } from './message.ts'
import { ModelCall } from './model-gateway.ts'

const count = T.Integer({ minimum: 0 })

/**
 * How the bot handled an event, and the effects. Lists end at 500 items. `turn`: the trace of a flow
 * bot. `failedAttempts`: those of deliveries that ended are kept for a time.
 */
export const AnswerTrace = closed({
  event: Event,
  /** Of the last attempt; absent until one has ended. */
  run: T.Optional(closed({ startedAt: Timestamp, ms: count, attempts: count })),
  failedAttempts: T.Array(DeliveryAttempt),
  turn: T.Optional(Json),
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
