// Slash commands (https://discord.com/developers/docs/interactions/application-commands): a setting lists them,
// and the application has them while the channel is connected.
import { ChannelError, type Configuration, type Context } from '../channel.ts'
import { get, post, remove } from './api.ts'

interface Command {
  name: string
  description: string
  /** Only the person who enters it sees the answer. */
  isPrivate: boolean
}

const maxCommands = 100
const line = /^\/?([-_\p{L}\p{N}]{1,32})(\s+\(private\))?\s*:\s*(\S.{0,99})$/u

/** Reads lines such as "order (private): Shows your order". Throws ChannelError ("rejected"). */
export function readCommands({ commands = '' }: Configuration): Map<string, Command> {
  const found = new Map<string, Command>()
  for (const text of String(commands).split('\n')) {
    if (text.trim() === '') continue
    const command = readLine(text)
    if (!command || found.has(command.name) || found.size === maxCommands)
      throw new ChannelError(
        'rejected',
        `The setting "Slash commands" has the line "${text.trim().slice(0, 100)}". Each of at most ` +
          `${maxCommands} lines is another name of up to 32 letters, digits and hyphens, a colon, and a ` +
          'description of up to 100 characters, such as: order: Shows your order',
      )
    found.set(command.name, command)
  }
  return found
}

function readLine(text: string): Command | null {
  const [, name, marked, description] = line.exec(text.trim()) ?? []
  if (!name || !description) return null
  return { name: name.toLowerCase(), description, isPrivate: marked !== undefined }
}

/** Also with settings that are wrong. */
export const isPrivateCommand = (
  { commands = '' }: Configuration,
  name: string,
): boolean =>
  String(commands)
    .split('\n')
    .some((text) => {
      const command = readLine(text)
      return command?.name === name && command.isPrivate
    })

/** It also distinguishes the commands of this channel from those of other programs. */
const words = {
  type: 3,
  name: 'words',
  description: 'Further words for the bot',
  required: false,
}

interface KnownCommand {
  id: string
  name: string
  /** 1, and by default: entered as text. */
  type?: number
  description?: string
  options?: { name?: string; description?: string }[]
}

const isOwn = ({ options = [] }: KnownCommand) =>
  options.length === 1 &&
  options[0]?.name === words.name &&
  options[0]?.description === words.description

/** Adds and changes the commands of the setting, and removes those that it had before. Throws ChannelError. */
export async function registerCommands(
  context: Context,
  wanted = readCommands(context.configuration),
): Promise<void> {
  const { id } = await get<{ id: string }>(context, '/applications/@me')
  const path = `/applications/${encodeURIComponent(id)}/commands`
  const answer = await get<KnownCommand[]>(context, path).catch((error) => {
    // Discord's words are those for a channel that it does not know.
    throw error instanceof ChannelError && error.kind === 'rejected'
      ? new ChannelError(
          'rejected',
          `Discord did not tell the slash commands of the app: ${error.message}`,
        )
      : error
  })
  const known = (Array.isArray(answer) ? answer : []).filter(({ type = 1 }) => type === 1)
  for (const { name, description } of wanted.values()) {
    const same = known.find((one) => one.name === name)
    if (same && isOwn(same) && same.description === description) continue
    await post(context, path, { type: 1, name, description, options: [words] })
  }
  for (const one of known)
    if (isOwn(one) && !wanted.has(one.name))
      await remove(context, `${path}/${encodeURIComponent(one.id)}`)
}
