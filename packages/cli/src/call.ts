// HTTP calls with error messages. Retries after 429, 5xx and connection errors, up to `attempts`.
import { setTimeout as pause } from 'node:timers/promises'
import { CliError } from './failure.ts'

interface Problem {
  pointer: string
  message: string
}

/** An error response: status, message, and for an invalid document its problems. */
export class ApiRejection extends CliError {
  readonly status: number
  readonly problems: Problem[]
  constructor(status: number, sentence: string, problems: Problem[] = []) {
    super(sentence)
    this.status = status
    this.problems = problems
  }
}

interface CallOptions {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  /** Number of attempts, 1 by default. More only for idempotent calls. */
  attempts?: number
  timeoutSeconds?: number
}

export async function call<Answer>(
  url: string,
  { attempts = 1, ...request }: CallOptions = {},
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once<Answer>(url, request)
    } catch (error) {
      const isTransient =
        !(error instanceof ApiRejection) || error.status >= 500 || error.status === 429
      if (!isTransient || attempt >= attempts) throw error
      await pause(Math.min(5_000, 300 * 2 ** attempt))
    }
  }
}

async function once<Answer>(
  url: string,
  { method = 'GET', headers = {}, body, timeoutSeconds = 60 }: CallOptions,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutSeconds * 1000),
  }).catch((error: unknown) => {
    throw new CliError(
      `no response from ${new URL(url).origin} (${reasonOf(error)}); check that the server is running`,
    )
  })
  const answer = (await response.json().catch(() => null)) as
    | (Answer & { message?: string; metadata?: { problems?: Problem[] } })
    | null
  if (response.ok && answer !== null) return answer
  throw new ApiRejection(
    response.status,
    answer?.message
      ? `the server rejected the request: ${answer.message}`
      : `the server responded with status ${response.status}`,
    answer?.metadata?.problems,
  )
}

function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: { code?: string } }
  return cause?.code ?? (name === 'TimeoutError' ? 'timeout' : message)
}
