import { Type as T } from 'typebox'
import { closed, Meta, Moment, paging } from '../../fields.ts'
import { LogLine } from '../../models/bots/bot-log.ts'
import { operation } from '../../operation.ts'

const text = T.Optional(T.String({ maxLength: 200 }))

export const logs = {
  listLogs: operation({
    method: 'GET',
    path: '/v1/platform/logs',
    access: 'bot',
    permission: 'bots.read',
    summary: 'Search log lines, newest first',
    description:
      'A page with a rare filter may be empty although further pages have lines.',
    query: T.Object({
      ...paging,
      level: T.Optional(T.Enum(['debug', 'info', 'warn', 'error'])),
      contains: text,
      conversationId: text,
      userId: text,
      afterDate: T.Optional(Moment),
      beforeDate: T.Optional(Moment),
    }),
    response: closed({ logs: T.Array(LogLine), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
}
