import { Type as T } from 'typebox'
import { byId, closed, Moment, paging } from '../fields.ts'
import { AnalyticsRecord } from '../models/bot-analytics.ts'
import { BotLog } from '../models/bot-log.ts'
import { operation } from '../operation.ts'

const word = T.Optional(T.String())

export const botInsights = {
  getBotLogs: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/logs',
    access: 'workspace',
    permission: 'bots.read',
    summary:
      'List what a bot logged, newest first. Where a message is looked for, a page may hold less than there is room for, or nothing, and yet not be the last',
    params: byId,
    query: T.Object({
      ...paging,
      timeStart: Moment,
      timeEnd: T.Optional(Moment),
      ...{ level: word, userId: word, workflowId: word, conversationId: word },
      /** In whatever case. */
      messageContains: word,
    }),
    response: closed({ logs: T.Array(BotLog), nextToken: T.Optional(T.String()) }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  getBotAnalytics: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/analytics',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Get what happened in a bot, day by day: a record for each that begins before the end',
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
    summary:
      'Get what puts the chat with a bot on a web page: a piece of HTML, or the address of the chat itself',
    params: byId,
    query: T.Object({ type: T.Enum(['preconfigured', 'configurable', 'fullscreen', 'sharableUrl']) }),
    response: closed({ code: T.String() }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
}
