// Opens the client of a command. Loaded when a command runs, because it loads the contract.
import { itemsOf } from '@botstead/client'
import { botOf, openAdmin } from './admin.ts'
import type { Connecting } from './connection.ts'
import type { Context } from './verbs.ts'

export function openContext<Options extends Connecting & { bot?: string }>(
  scope: 'account' | 'workspace' | 'bot',
  options: Options,
): Context<Options> {
  const admin = openAdmin(options, scope === 'account' ? scope : 'workspace')
  const botId = scope === 'bot' ? botOf(options.bot, options) : ''
  return {
    client: scope === 'bot' ? admin.as(botId) : admin.client,
    botId,
    workspaceId: admin.workspaceId,
    options,
    pages: itemsOf,
  }
}
