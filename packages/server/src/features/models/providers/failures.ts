// Classifies the errors of providers: whether another model may answer instead, whether a repeated
// call may succeed, and the message for the caller. Messages of providers may quote keys and
// prompts, so only invalid requests pass theirs on, without anything that looks like a key.
import { APICallError } from '@ai-sdk/provider'
import { withoutKeys } from '@botstead/lib'
import type { Model } from './catalog.ts'
import { reasonIn } from './error-bodies.ts'
import { KindUnsupported } from './providers.ts'

export type FailureKind =
  /** The provider rejects the request itself. */
  | 'invalid'
  /** The provider rejects the key, or the model. */
  | 'rejected'
  | 'limited'
  | 'unavailable'
  | 'timeout'
  /** The response is not what the provider's API promises. */
  | 'garbage'
  /** The caller does not wait any longer. */
  | 'canceled'

export class ModelFailure extends Error {
  readonly kind: FailureKind
  readonly model: string
  readonly status: number | null
  readonly retryAfterMs: number | null

  constructor(
    {
      kind,
      model,
      status = null,
      retryAfterMs = null,
    }: Partial<ModelFailure> & Described,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.kind = kind
    this.model = model
    this.status = status
    this.retryAfterMs = retryAfterMs
  }

  /** Whether the next model of the chain may answer. */
  get fallsBack() {
    return this.kind !== 'invalid' && this.kind !== 'canceled'
  }

  /** Whether the same model may answer a repetition. */
  get mayPass() {
    return ['limited', 'unavailable', 'garbage'].includes(this.kind)
  }
}
interface Described {
  kind: FailureKind
  model: string
}

type Target = Pick<Model, 'id'> & {
  provider: Pick<Model['provider'], 'type' | 'url' | 'key'>
}

const rejectedStatuses = [401, 402, 403, 404]
const invalidStatuses = [400, 405, 413, 415, 422]

export function toFailure({ id: model, provider }: Target, error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (error instanceof KindUnsupported)
    return new ModelFailure({ kind: 'invalid', model }, error.message)
  if (APICallError.isInstance(error) && error.statusCode !== undefined)
    return ofStatus({ model, key: provider.key }, error.statusCode, error)
  if (isNotAllowed(error))
    return new ModelFailure(
      { kind: 'rejected', model },
      `The address of the provider of "${model}" is not allowed (BOTSTEAD_URL_NETWORK)`,
      { cause: withoutRequest(error, `not allowed: ${getHost(provider)}`) },
    )
  const code = findErrorCode(error)
  if (code !== null)
    return new ModelFailure(
      { kind: 'unavailable', model },
      `The provider of "${model}" is not reachable (${code})`,
      { cause: withoutRequest(error, `${code}: ${getHost(provider)}`) },
    )
  // The package reports an error in a stream as the JSON that it read.
  const reason =
    error instanceof Error
      ? ''
      : findDetail(reasonIn(JSON.stringify(error)), provider.key)
  return new ModelFailure(
    { kind: 'garbage', model },
    reason
      ? `The provider of "${model}" ended with an error${reason}`
      : `The provider of "${model}" sent a response that is not valid`,
    { cause: withoutRequest(error) },
  )
}

const findDetail = (reason: string, key: string | null) =>
  reason && `: ${withoutKeys(reason, key).slice(0, 500).toWellFormed()}`

function ofStatus(
  { model, key }: { model: string; key: string | null },
  status: number,
  error: APICallError,
): ModelFailure {
  const kind = kindOfStatus(status)
  const reason = isExplained(status) ? reasonIn(error.responseBody) : ''
  const detail = findDetail(reason, key)
  const retryAfterMs = parseRetryAfter(error.responseHeaders ?? {})
  return new ModelFailure(
    { kind, model, status, retryAfterMs },
    `The provider of "${model}" answered ${status}${detail}`,
    { cause: withoutRequest(error) },
  )
}

/** An unknown model has the status 404 at servers of local models. */
const isExplained = (status: number) =>
  status < 300 || status === 404 || kindOfStatus(status) === 'invalid'

function kindOfStatus(status: number): FailureKind {
  if (status < 300) return 'garbage'
  if (status === 429) return 'limited'
  if (rejectedStatuses.includes(status)) return 'rejected'
  return invalidStatuses.includes(status) ? 'invalid' : 'unavailable'
}

/**
 * Keeps the error's name and stack for the log, with `detail`; the message may quote the request.
 * Callers get no causes, so `detail` may name a private host.
 */
function withoutRequest(error: unknown, detail = ''): Error {
  const { name = 'Error', stack = '' } = error instanceof Error ? error : {}
  const kept = new Error(detail ? `${name}, ${detail}` : name)
  kept.stack = stack.slice(stack.indexOf('\n    at '))
  return kept
}

/** Returns the host with its port, or the type of a provider that has no URL of its own. */
function getHost({ type, url }: Target['provider']): string {
  return url !== null && URL.canParse(url) ? new URL(url).host : type
}

/** The sender for workspaces (`Outgoing`) rejects addresses with this reason. */
const isNotAllowed = (error: unknown) =>
  error instanceof Error && (error as { reason?: unknown }).reason === 'not-allowed'

/** Only errors of the network have a code. */
function findErrorCode(error: unknown): string | null {
  for (
    let one = error as { code?: unknown; cause?: unknown } | undefined, i = 0;
    one && i < 4;
    i++
  ) {
    if (typeof one.code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(one.code))
      return one.code
    one = one.cause as typeof one
  }
  return null
}

const maxRetryAfterMs = 600_000

function parseRetryAfter(headers: Record<string, string>): number | null {
  const text = headers['retry-after']
  if (text === undefined) return null
  const seconds = Number(text)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - Date.now()
  return ms >= 0 ? Math.min(ms, maxRetryAfterMs) : null
}
