// Calls of Discord's HTTP API (https://discord.com/developers/docs/reference).
import { ChannelError, type Context, type ProviderResponse } from '../channel.ts'
import {
  postJson,
  postMultipart,
  readRetryAfter,
  toJson,
  type Upload,
} from '../provider-calls.ts'

const getApiUrl = ({ configuration }: Pick<Context, 'configuration'>) =>
  String(configuration.apiUrl ?? 'https://discord.com/api/v10').replace(/\/+$/, '')

const toHeaders = ({ configuration }: Pick<Context, 'configuration'>) => ({
  authorization: `Bot ${configuration.botToken}`,
  // Discord rejects calls that name no bot.
  'user-agent': 'DiscordBot (Botstead, 1.0)',
})

export async function get<Result>(context: Context, path: string): Promise<Result> {
  const url = `${getApiUrl(context)}${path}`
  return toResult<Result>(await context.request(url, { headers: toHeaders(context) }))
}

/** Sends a value, and a file along with it. */
const sendBy =
  (method: 'POST' | 'PATCH') =>
  async <Result>(
    context: Context,
    path: string,
    value: unknown,
    file?: Upload,
  ): Promise<Result> => {
    const url = `${getApiUrl(context)}${path}`
    const headers = toHeaders(context)
    const fields = file && { payload_json: JSON.stringify(value), 'files[0]': file }
    const response = fields
      ? await postMultipart(context, url, fields, { headers, method })
      : await postJson(context, url, value, { headers, method })
    return toResult<Result>(response)
  }

export const post = sendBy('POST')
export const patch = sendBy('PATCH')

export async function remove(context: Context, path: string): Promise<void> {
  const url = `${getApiUrl(context)}${path}`
  toResult(await context.request(url, { method: 'DELETE', headers: toHeaders(context) }))
}

interface Failed {
  code?: number
  message?: string
  /** In seconds. */
  retry_after?: number
  errors?: unknown
}

function toResult<Result>(response: ProviderResponse): Result {
  const { status, headers } = response
  if (status >= 200 && status < 300) return toJson(response) as Result
  const failed = toJson(response) as Failed
  if (status === 429) {
    const wanted = (failed.retry_after ?? 0) * 1_000 || readRetryAfter(headers) || 1_000
    throw new ChannelError('limited', 'Discord: too many calls', wanted)
  }
  const description = String(failed.message ?? `status ${status}`)
  if (status >= 500) throw new ChannelError('unavailable', `Discord: ${description}`)
  if (status === 401) throw new ChannelError('credentials', wrongToken)
  const details = failed.errors ? ` ${JSON.stringify(failed.errors).slice(0, 500)}` : ''
  throw new ChannelError('rejected', explain(failed.code, description + details))
}

export const wrongToken =
  'Discord does not know this bot token. Reset it in the Developer Portal, at "Bot" → "Reset ' +
  'Token", and copy the new one: it is shown once.'

export const tooLate =
  'The command is older than 15 minutes, after which Discord takes no answer.'

const explanations: Record<number, string | undefined> = {
  10003:
    'Discord does not know the channel: it was deleted, or the bot is not on its server.',
  10015: tooLate,
  40005: 'The file is larger than Discord admits.',
  50001:
    'The bot does not see this channel. Give its role the permission "View Channel" there, or ' +
    'invite the bot to the server.',
  50007:
    'The person does not accept direct messages from the bot, or shares no server with it.',
  50013:
    'The bot may not write in this channel. Give its role the permissions "Send Messages", ' +
    '"Embed Links" and "Attach Files" there; in threads "Send Messages in Threads".',
}

function explain(code: number | undefined, description: string): string {
  const found = explanations[code ?? 0]
  return found ? `${found} (Discord: ${description})` : `Discord: ${description}`
}
