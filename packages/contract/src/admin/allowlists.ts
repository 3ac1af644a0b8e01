import { Type as T } from 'typebox'
import { closed, Done, dictionary } from '../fields.ts'
import { operation } from '../operation.ts'

const byBot = T.Object({ botId: T.String() })
const Setting = T.Enum(['ALL_WORKSPACE_USERS', 'SELECTED_USERS'])

export const allowlists = {
  getBotAllowlist: operation({
    method: 'GET',
    path: '/v1/admin/bots/{botId}/allowlist',
    access: 'workspace',
    permission: 'bots.allowlist',
    summary: 'Get the allowlist of a bot',
    description: 'The allowlist states which members see the bot.',
    params: byBot,
    response: closed({ setting: Setting, users: T.Array(closed({ id: T.String() })) }),
    errors: ['ResourceNotFound'],
  }),
  updateBotAllowlist: operation({
    method: 'PUT',
    path: '/v1/admin/bots/{botId}/allowlist',
    access: 'workspace',
    permission: 'bots.allowlist',
    audit: 'UPDATE_BOT_CONFIG',
    summary: 'Update the allowlist of a bot',
    description: 'True adds a member to the list, false removes one.',
    params: byBot,
    body: closed({
      setting: T.Optional(Setting),
      users: T.Optional(dictionary(T.Boolean())),
    }),
    response: Done,
    errors: ['ResourceNotFound', 'ReferenceNotFound'],
  }),
}
