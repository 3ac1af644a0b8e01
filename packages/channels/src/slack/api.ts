// Calls of Slack's Web API (https://docs.slack.dev/apis/web-api).
import { ChannelError, type Context, type ProviderResponse } from '../channel.ts'
import { readRetryAfter, toJson } from '../provider-calls.ts'
import { explain, toKind } from './errors.ts'

export const getApiUrl = ({ configuration }: Pick<Context, 'configuration'>) =>
  String(configuration.apiUrl ?? 'https://slack.com/api').replace(/\/+$/, '')

type Token = 'botToken' | 'appToken'

/** Calls a method, and returns its answer. Values that are no text are sent as JSON. */
export async function call<Result = Record<string, unknown>>(
  context: Context,
  method: string,
  parameters: Record<string, unknown> = {},
  token: Token = 'botToken',
): Promise<Result> {
  return (await callWithHeaders<Result>(context, method, parameters, token)).result
}

/** Every method admits form fields, and some admit nothing else. */
export async function callWithHeaders<Result>(
  context: Context,
  method: string,
  parameters: Record<string, unknown> = {},
  token: Token = 'botToken',
): Promise<{ result: Result; headers: Record<string, string> }> {
  const response = await context.request(`${getApiUrl(context)}/${method}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${context.configuration[token]}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: toForm(parameters).toString(),
  })
  return { result: toResult<Result>(response, token), headers: response.headers }
}

function toForm(parameters: Record<string, unknown>): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined)
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return form
}

interface Failed {
  error?: string
  needed?: string
  response_metadata?: { messages?: string[] }
}

function toResult<Result>(response: ProviderResponse, token: Token): Result {
  const answer = toJson(response)
  if (answer.ok === true) return answer as Result
  const { status, headers } = response
  const { error = `status ${status}`, needed, response_metadata } = answer as Failed
  if (status === 429 || error === 'ratelimited')
    throw new ChannelError(
      'limited',
      'Slack: too many calls',
      readRetryAfter(headers) ?? 1_000,
    )
  const details = (response_metadata?.messages ?? []).map(String).join(' ').slice(0, 500)
  const kind = status >= 500 ? 'unavailable' : toKind(error)
  throw new ChannelError(kind, explain(error, { token, needed, details }))
}
