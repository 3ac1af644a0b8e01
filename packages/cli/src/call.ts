// One HTTP call, and what to say when it fails. Tries again by itself where the server said "not now" or nothing at all.
import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from './failure.ts'

interface Problem {
  pointer: string
  message: string
}

/** The server refused: its status and its own sentence. Of a document, what is wrong with it. */
export class Refusal extends Failure {
  readonly status: number
  readonly problems: Problem[]
  constructor(status: number, sentence: string, problems: Problem[] = []) {
    super(sentence)
    this.status = status
    this.problems = problems
  }
}

export interface Call {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  /** How often in all. Only for calls that may be repeated. */
  attempts?: number
  timeoutSeconds?: number
}

export async function call<Answer>(url: string, { attempts = 1, ...what }: Call = {}): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once<Answer>(url, what)
    } catch (error) {
      const passes = !(error instanceof Refusal) || error.status >= 500 || error.status === 429
      if (!passes || attempt >= attempts) throw error
      await pause(Math.min(5_000, 300 * 2 ** attempt))
    }
  }
}

async function once<Answer>(
  url: string,
  { method = 'GET', headers = {}, body, timeoutSeconds = 60 }: Call,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutSeconds * 1000),
  }).catch((error: unknown) => {
    throw new Failure(`no answer from ${new URL(url).origin} (${reasonOf(error)}); is the server running?`)
  })
  const answer = (await response.json().catch(() => null)) as
    | (Answer & { message?: string; metadata?: { problems?: Problem[] } })
    | null
  if (response.ok && answer !== null) return answer
  throw new Refusal(
    response.status,
    answer?.message ? `the server refused: ${answer.message}` : `the server answered ${response.status}`,
    answer?.metadata?.problems,
  )
}

function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: { code?: string } }
  return cause?.code ?? (name === 'TimeoutError' ? 'it took too long' : message)
}
