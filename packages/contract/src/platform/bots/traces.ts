import { Type as T } from 'typebox'
import { byId, closed, nullable } from '../../fields.ts'
import { DeliveryAttempt } from '../../models/bots/dead-letter.ts'
import { Message } from '../../models/conversations/message.ts'
import { AnswerTrace } from '../../models/knowledge/answer-trace.ts'
import { operation } from '../../operation.ts'

export const traces = {
  getEventTrace: operation({
    method: 'GET',
    path: '/v1/platform/events/{id}/trace',
    access: 'bot',
    summary: 'Get the trace of an event',
    description:
      'Returns the attempts to handle the event, the steps of a flow bot or the calls and changed ' +
      'states of a bot with code, and the messages, events, actions, calls of models and log lines ' +
      'that it has caused.',
    params: byId,
    response: closed({ trace: AnswerTrace }),
    errors: ['ResourceNotFound'],
  }),
  getMessageTrace: operation({
    method: 'GET',
    path: '/v1/platform/messages/{id}/trace',
    access: 'bot',
    summary: 'Get the trace of a message',
    description:
      "Returns the trace of a user's message, or of the event that a message of the bot answers. " +
      '`trace` is null for a message without such an event. `failedAttempts`: to send the message ' +
      'through its integration.',
    params: byId,
    response: closed({
      message: Message,
      trace: nullable(AnswerTrace),
      failedAttempts: T.Array(DeliveryAttempt),
    }),
    errors: ['ResourceNotFound'],
  }),
}
