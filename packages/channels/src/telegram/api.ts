// Calls of Telegram's Bot API (https://core.telegram.org/bots/api).
import { ChannelError, type Context, type ProviderResponse } from '../channel.ts'
import { postJson, postMultipart, toJson, type Upload } from '../provider-calls.ts'

export const getApiUrl = ({ configuration }: Pick<Context, 'configuration'>) =>
  String(configuration.apiUrl ?? 'https://api.telegram.org').replace(/\/+$/, '')

/** Calls a method, and returns its result. A file is sent along with the parameters as text. */
export async function call<Result>(
  context: Context,
  method: string,
  parameters: Record<string, unknown> = {},
  { files = {}, timeoutMs }: { files?: Record<string, Upload>; timeoutMs?: number } = {},
): Promise<Result> {
  const url = `${getApiUrl(context)}/bot${context.configuration.botToken}/${method}`
  const response =
    Object.keys(files).length > 0
      ? await postMultipart(context, url, { ...toFields(parameters), ...files })
      : await postJson(
          context,
          url,
          parameters,
          timeoutMs === undefined ? {} : { timeoutMs },
        )
  return toResult<Result>(response)
}

const toFields = (parameters: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )

function toResult<Result>(response: ProviderResponse): Result {
  const { ok, result, description, parameters } = toJson(response)
  if (ok === true) return result as Result
  throw toError(
    response.status,
    String(description ?? `Telegram answered ${response.status}`),
    {
      ...(parameters as { retry_after?: number } | undefined),
    },
  )
}

function toError(
  status: number,
  description: string,
  { retry_after }: { retry_after?: number },
): ChannelError {
  if (status === 429)
    return new ChannelError(
      'limited',
      `Telegram: ${description}`,
      (retry_after ?? 1) * 1_000,
    )
  if (status >= 500) return new ChannelError('unavailable', `Telegram: ${description}`)
  if (status === 401 || (status === 404 && description === 'Not Found'))
    return new ChannelError(
      'credentials',
      'Telegram does not know this bot token. Copy it again from the chat with @BotFather: it is a ' +
        'number, a colon and 35 characters. A revoked token has a successor there.',
    )
  return new ChannelError('rejected', explain(description))
}

const explanations: [RegExp, string][] = [
  [/bot was blocked by the user/, 'The person has blocked the bot in Telegram.'],
  [/user is deactivated/, 'The person has deleted the account in Telegram.'],
  [
    /chat not found/,
    'Telegram does not know the chat: the person must write to the bot first.',
  ],
  [/bot was kicked/, 'The bot has been removed from the group.'],
  [
    /terminated by other getUpdates/,
    'Another program receives the messages of this bot. Stop it, or create another bot with @BotFather.',
  ],
  [
    /webhook.*(https|port|resolve|certificate|ssl)/i,
    'Telegram calls only public addresses with HTTPS, at port 443, 80, 88 or 8443. ' +
      'Choose "connection" as the way how messages arrive, which needs no address.',
  ],
]

export function explain(description: string): string {
  const found = explanations.find(([pattern]) => pattern.test(description))
  return found ? `${found[1]} (Telegram: ${description})` : `Telegram: ${description}`
}

/** Downloads a file of a person. Null if it is larger than Telegram gives to bots: 20 MB. */
export async function download(
  context: Context,
  fileId: string,
): Promise<{ path: string; content: Uint8Array } | null> {
  const file = await call<{ file_path?: string }>(context, 'getFile', {
    file_id: fileId,
  }).catch((error) => {
    if (error instanceof ChannelError && /too big/.test(error.message)) return {}
    throw error
  })
  if (!('file_path' in file) || !file.file_path) return null
  const { file_path: path } = file
  const url = `${getApiUrl(context)}/file/bot${context.configuration.botToken}/${path}`
  const response = await context.request(url, { timeoutMs: 60_000, maxBytes: 20_971_520 })
  if (response.status !== 200)
    throw new ChannelError(
      'unavailable',
      `Telegram answered ${response.status} for a file`,
    )
  return { path, content: response.body }
}
