import { Type as T } from 'typebox'
import { byId, closed, Moment, paging } from '../fields.ts'
import { BotLog } from '../models/bots/bot-log.ts'
import { operation } from '../operation.ts'

const text = T.Optional(T.String())

export const integrationLogs = {
  getIntegrationLogs: operation({
    method: 'GET',
    path: '/v1/admin/integrations/{id}/logs',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'List the logs of an integration',
    description:
      'Returns the logs of code hosted on this server, from all bots, newest first.',
    params: byId,
    headers: T.Object({ 'x-multiple-integrations': T.Optional(T.String()) }),
    query: T.Object({
      ...paging,
      timeStart: Moment,
      timeEnd: T.Optional(Moment),
      level: text,
      userId: text,
      conversationId: text,
      /** Case-insensitive. */
      messageContains: text,
    }),
    response: closed({ logs: T.Array(BotLog), nextToken: T.Optional(T.String()) }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
}
