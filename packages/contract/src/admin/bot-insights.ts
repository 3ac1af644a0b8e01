import { Type as T } from 'typebox'
import { byId, closed, Moment, paging } from '../fields.ts'
import { BotLog } from '../models/bots/bot-log.ts'
import { AnalyticsRecord } from '../models/usage/bot-analytics.ts'
import { operation } from '../operation.ts'

const text = T.Optional(T.String())

export const botInsights = {
  getBotLogs: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/logs',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'List the logs of a bot, newest first',
    description:
      'With `messageContains`, a page may be short or empty although `nextToken` leads to more.',
    params: byId,
    query: T.Object({
      ...paging,
      timeStart: Moment,
      timeEnd: T.Optional(Moment),
      level: text,
      userId: text,
      workflowId: text,
      conversationId: text,
      /** Case-insensitive. */
      messageContains: text,
    }),
    response: closed({ logs: T.Array(BotLog), nextToken: T.Optional(T.String()) }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  getBotAnalytics: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/analytics',
    access: 'workspace',
    permission: 'insights.read',
    summary: 'Get the daily analytics of a bot',
    description: 'Returns a record for each day that begins before `endDate`.',
    params: byId,
    query: T.Object({ startDate: Moment, endDate: Moment }),
    response: closed({ records: T.Array(AnalyticsRecord) }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  getBotWebchat: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/webchat',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Get the webchat code of a bot',
    description: 'Returns an HTML snippet or the URL of the chat page.',
    params: byId,
    query: T.Object({
      type: T.Enum(['preconfigured', 'configurable', 'fullscreen', 'sharableUrl']),
    }),
    response: closed({ code: T.String() }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
}
