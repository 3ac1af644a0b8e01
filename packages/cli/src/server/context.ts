// Opens the client of a command. Loaded when a command runs, because it loads the contract.
import { type Client, itemsOf } from '@botstead/client'
import type { ListPrinting } from '../terminal/printing.ts'
import { getBotId, openAdmin } from './admin.ts'
import type { Connecting } from './connection.ts'

/** Options of every verb. */
export interface SharedOptions extends Connecting, ListPrinting {
  bot?: string
  yes?: boolean
}

export interface Context<Options = object> {
  /** With the bot, if the scope is one. */
  client: Client
  botId: string
  workspaceId: string
  options: Options & SharedOptions
  pages: typeof itemsOf
}

export function openContext<Options extends Connecting & { bot?: string }>(
  scope: 'account' | 'workspace' | 'bot',
  options: Options,
): Context<Options> {
  const admin = openAdmin(options, scope === 'account' ? scope : 'workspace')
  const botId = scope === 'bot' ? getBotId(options.bot, options) : ''
  return {
    client: scope === 'bot' ? admin.as(botId) : admin.client,
    botId,
    workspaceId: admin.workspaceId,
    options,
    pages: itemsOf,
  }
}
