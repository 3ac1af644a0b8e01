// A client with one function for each operation of the contract. Types derive from the contract;
// while it runs, the client needs only the table of routes.
import type { Family, FamilyName, families, Operation, Output } from '@botstead/contract'
import type { Static, TSchema } from 'typebox'
import { RequestError, Unreachable } from './errors.ts'
import type { Route, Routes } from './routes.ts'

/**
 * `client.admin.getBot({ params: { id } })`. Operations that stream resolve to the `Response`, for
 * `readEvents`. All reject with `RequestError` or `Unreachable`; an aborted call rejects with its
 * signal's reason.
 */
export type Client = { [F in FamilyName]: Calls<(typeof families)[F], Prefix<F>> }

/** Families under a chat's address have its id in every path. */
type Prefix<F> = F extends 'chat' | 'webchat' | 'live' ? { webhookId: string } : unknown

type Calls<F extends Family, Prefix> = {
  [Id in keyof Operations<F>]: Operations<F>[Id] extends Operation
    ? Call<Operations<F>[Id], Prefix>
    : never
}
type Operations<F extends Family> = Intersected<F['served'][keyof F['served']]>
type Intersected<U> = (U extends unknown ? (each: U) => void : never) extends (
  all: infer I,
) => void
  ? I
  : never

type Call<O extends Operation, Prefix> =
  object extends CallInput<O, Prefix>
    ? (input?: CallInput<O, Prefix>, options?: CallOptions) => Promise<Result<O>>
    : (input: CallInput<O, Prefix>, options?: CallOptions) => Promise<Result<O>>
type Result<O extends Operation> = O extends { stream: true } ? Response : Output<O>
type CallInput<O, Prefix> = Part<'params', Schema<O, 'params'> & Prefix> &
  Part<'query', Undefinable<Schema<O, 'query'>>> &
  Part<'body', Schema<O, 'body'>>
type Schema<O, K extends string> =
  O extends Record<K, infer S extends TSchema> ? Static<S> : unknown
/** Undefined values are left out of the query. */
type Undefinable<S> = {
  [K in keyof S]: object extends Pick<S, K> ? S[K] | undefined : S[K]
}
type Part<K extends string, Value> = unknown extends Value
  ? unknown
  : object extends Value
    ? { [P in K]?: Value }
    : { [P in K]: Value }

export interface CallOptions {
  headers?: Record<string, string>
  signal?: AbortSignal
}

export interface ClientOptions {
  routes: Routes
  /** The server's address; the page's own by default. */
  url?: string
  /** Headers of every request, such as `authorization`, `x-workspace-id` or `x-bot-id`. */
  headers?: Record<string, string> | (() => Record<string, string>)
  fetch?: typeof globalThis.fetch
}

interface RequestParts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

export function createClient(options: ClientOptions): Client {
  const families = Object.entries(options.routes).map(([family, operations]) => {
    const calls = Object.entries(operations).map(([id, route]) => [
      id,
      createCall(options, route),
    ])
    return [family, Object.fromEntries(calls)]
  })
  return Object.fromEntries(families)
}

const createCall =
  (client: ClientOptions, route: Route) =>
  async (input: RequestParts = {}, options: CallOptions = {}): Promise<unknown> => {
    const response = await send(client, route, input, options)
    if (response.ok && route.stream) return response
    const reply = await response.json().catch(() => null)
    options.signal?.throwIfAborted()
    // Without JSON, something other than the server has responded.
    if (!response.ok || reply === null) throw new RequestError(response, reply)
    return reply
  }

async function send(
  { url = '', headers = {}, fetch = globalThis.fetch }: ClientOptions,
  route: Route,
  { params, query, body }: RequestParts,
  options: CallOptions,
): Promise<Response> {
  const request = {
    method: route.method,
    headers: {
      accept: route.stream ?? 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(typeof headers === 'function' ? headers() : headers),
      ...options.headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(options.signal && { signal: options.signal }),
  }
  try {
    return await fetch(url + toPath(route.path, params) + toQuery(query), request)
  } catch (error) {
    options.signal?.throwIfAborted()
    throw new Unreachable('The server cannot be reached', { cause: error })
  }
}

const toPath = (path: string, params: Record<string, unknown> = {}) =>
  path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])))

/** Encodes objects as the server parses them: `tags.name=value`. Arrays repeat their name. */
function toQuery(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => toPairs(name, value))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

function toPairs(name: string, value: unknown): string[][] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((each) => toPairs(name, each))
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, each]) => toPairs(`${name}.${key}`, each))
}
