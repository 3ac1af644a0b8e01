// Checks the settings of an application before messages are expected, and names the missing ones.
import { type Account, ChannelError, type Context } from '../channel.ts'
import { get } from './api.ts'

/** "Message Content Intent", for all applications and for those on fewer than 100 servers. */
const messageContentFlags = (1 << 18) | (1 << 19)

export const missingIntent =
  'The application may not read messages. Switch on "Message Content Intent" in the Developer ' +
  'Portal, at "Bot" → "Privileged Gateway Intents"; or switch on "Require bot mention" here.'

/** Throws ChannelError. */
export async function checkSetup(context: Context): Promise<Account> {
  const { botToken, onlyOnBotMention } = context.configuration
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(String(botToken)))
    throw new ChannelError(
      'credentials',
      'A bot token has three parts with dots between them, and no "Bot" in front. Copy it in the Developer ' +
        'Portal, at "Bot" → "Reset Token"; "Public Key" and "Client Secret" are something else.',
    )
  const { flags = 0, name } = await get<Application>(context, '/applications/@me')
  if (onlyOnBotMention !== true && (flags & messageContentFlags) === 0)
    throw new ChannelError('credentials', missingIntent)
  return name ? { name: `${name} (${await listServers(context)})` } : {}
}

const maxNamed = 3

/** Returns the names of the first servers that have invited the bot, and the number of the others. */
async function listServers(context: Context): Promise<string> {
  const path = '/users/@me/guilds?limit=200'
  const servers = await get<{ name?: string }[]>(context, path).catch(() => null)
  if (!Array.isArray(servers)) return 'servers unknown'
  if (servers.length === 0) return 'on no server yet: invite it'
  const names = servers.slice(0, maxNamed).map(({ name }) => String(name))
  const others = servers.length - names.length
  return `on ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

interface Application {
  name?: string
  flags?: number
}
