import { Type as T } from 'typebox'
import { closed, Meta, paging } from '../../fields.ts'
import { BotOverview, overviewLimits } from '../../models/bots/bot-overview.ts'
import { FirstStep } from '../../models/bots/first-step.ts'
import { operation } from '../../operation.ts'

const { openIssues, messagesToday } = overviewLimits

export const bots = {
  listBotOverviews: operation({
    method: 'GET',
    path: '/v1/platform/bots',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'List bots with their state, newest first',
    description:
      `Counts of open issues stop at ${openIssues}, and those of messages at ${messagesToday}. ` +
      '`dev` selects development bots or deployed ones, `search` a part of the name in any case.',
    query: T.Object({
      ...paging,
      dev: T.Optional(T.Boolean()),
      search: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
    }),
    response: closed({ bots: T.Array(BotOverview), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getFirstSteps: operation({
    method: 'GET',
    path: '/v1/platform/bots/{botId}/first-steps',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Get the first steps with a bot',
    description:
      'All steps in the order in which the dashboard offers them, with those that are done. ' +
      '`isDismissed`: the account has the preference `firstSteps.<id of the bot>`.',
    params: T.Object({ botId: T.String() }),
    response: closed({ steps: T.Array(FirstStep), isDismissed: T.Boolean() }),
    errors: ['ResourceNotFound'],
  }),
}
