// Calls of Meta's Graph API (https://developers.facebook.com/docs/graph-api), and their errors.
import { createHmac } from 'node:crypto'
import { ChannelError, type Context, type ProviderResponse } from '../channel.ts'
import {
  postJson,
  postMultipart,
  readRetryAfter,
  toJson,
  type Upload,
} from '../provider-calls.ts'
import { type Explanation, type GraphError, toChannelError } from './errors.ts'

export interface Graph {
  baseUrl: string
  accessToken: string
  /** Proves that a call is from the app: a stolen token alone is then of no use. */
  appSecret?: string
  /** What errors mean for this provider, before those of all. */
  explanations: Explanation[]
}

export interface Call {
  method?: 'GET' | 'POST' | 'DELETE'
  query?: Record<string, string>
  body?: Record<string, unknown>
  /** Sent as a form instead of `body`. */
  form?: Record<string, string | Upload>
  timeoutMs?: number
}

const graphVersion = 'v23.0'

/** Returns the URL of the API, or of the configured one. */
export const toBaseUrl = (configured: unknown, standard: string): string =>
  `${String(configured ?? standard).replace(/\/+$/, '')}/${graphVersion}`

/** Returns the JSON object that the API answers. `path` begins with a slash. */
export async function callGraph(
  context: Pick<Context, 'request'>,
  graph: Graph,
  path: string,
  call: Call = {},
): Promise<Record<string, unknown>> {
  const url = `${graph.baseUrl}${path}?${toQuery(graph, call.query)}`
  const response = await send(context, graph, url.replace(/\?$/, ''), call)
  const answer = toJson(response)
  const error = answer.error as GraphError | undefined
  if (response.status < 300 && !error) return answer
  throw toChannelError(
    { ...error, ...(error?.message && { message: withoutToken(error.message, graph) }) },
    response.status,
    readRetryAfter(response.headers),
    graph.explanations,
  )
}

/** Meta repeats a token that it cannot read. */
const withoutToken = (message: string, { accessToken }: Graph) =>
  message.replaceAll(accessToken, '…')

function send(
  context: Pick<Context, 'request'>,
  { accessToken }: Graph,
  url: string,
  { method, body, form, timeoutMs }: Call,
): Promise<ProviderResponse> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const options = { headers, ...(timeoutMs !== undefined && { timeoutMs }) }
  if (form) return postMultipart(context, url, form, { headers })
  if (body) return postJson(context, url, body, options)
  return context.request(url, { method: method ?? 'GET', ...options })
}

function toQuery(
  { accessToken, appSecret }: Graph,
  query: Record<string, string> = {},
): string {
  const proof =
    appSecret && createHmac('sha256', appSecret).update(accessToken).digest('hex')
  return new URLSearchParams({
    ...query,
    ...(proof && { appsecret_proof: proof }),
  }).toString()
}

/** Throws ChannelError ("rejected") if the response is no file. */
export function toFile({ status, body }: ProviderResponse): Uint8Array {
  if (status === 200) return body
  const kind = status === 429 || status >= 500 ? 'unavailable' : 'rejected'
  throw new ChannelError(kind, `Meta answered ${status} for a file`)
}
