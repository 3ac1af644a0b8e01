// Completions of a language model, by any OpenAI-compatible endpoint (`POST …/chat/completions`)
// that the operator configures; prompts are sent there. Up to four requests run at a time, and
// workspaces take turns. An unavailable endpoint is paused for a while; requests fail immediately
// meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import { FairTurns } from '@botstead/lib'
import type { Logger } from 'pino'
import type { ModelSettings } from '../../../core/config/index.ts'
import { type ColumnQuestion, ModelUnavailable } from '../../../core/tables/index.ts'
import { type Endpoint, EndpointError, openEndpoint } from './endpoint.ts'
import { separateThoughts } from './thoughts.ts'

interface Completion {
  text: string
  /** The cost, if the endpoint reports it; otherwise zero. */
  dollars: number
  /** As the endpoint reports them; otherwise zero. */
  inputTokens: number
  outputTokens: number
}

export interface Completions {
  /**
   * Throws ModelUnavailable when the endpoint is unavailable; any other error concerns this
   * question.
   */
  complete(question: ColumnQuestion, workspaceId: string): Promise<Completion>
  close(): Promise<void>
}

const atOnce = 4
/** Timeout of one question, including retries, in milliseconds. */
const timeoutMs = 120_000
const maxQuestionBytes = 262_144
const maxAnswerBytes = 1_048_576
/** Pauses before retries; the endpoint's Retry-After takes precedence. */
const pausesMs = [1_000, 4_000]
const maxPauseMs = 10_000
const awayMs = { min: 1_000, usual: 30_000, max: 600_000 }

/** The endpoint, with retries of questions and pauses after failures. */
class Model {
  readonly #endpoint: Endpoint
  readonly #model: string
  readonly #log: Logger
  #awayUntil = 0

  constructor({ url, key, model }: ModelSettings, log: Logger) {
    this.#endpoint = openEndpoint({
      url,
      key,
      path: '/chat/completions',
      name: 'the language model',
      maxAnswerBytes,
    })
    this.#model = model
    this.#log = log
  }

  /** Retries after failures that may pass. */
  async ask(question: ColumnQuestion, signal: AbortSignal): Promise<Completion> {
    for (let attempt = 0; ; attempt++) {
      if (performance.now() < this.#awayUntil)
        throw new ModelUnavailable(
          'the language model is unavailable',
          this.#awayUntil - performance.now(),
        )
      try {
        return parseCompletion(await this.#askOnce(question, signal))
      } catch (error) {
        if (signal.aborted || !mayPass(error)) throw error
        const usual = pausesMs[attempt]
        const pauseMs = getPauseMs(error) ?? usual ?? 0
        if (usual === undefined || pauseMs > maxPauseMs)
          throw isAway(error) ? this.#away(error) : error
        await pause(pauseMs, null, { signal })
      }
    }
  }

  async #askOnce(question: ColumnQuestion, signal: AbortSignal) {
    const body = { model: this.#model, messages: toMessages(question) }
    const inShape = {
      ...body,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: question.schema },
      },
    }
    // Some endpoints do not support schemas, or not this one; the instructions describe the format
    // as well.
    return this.#endpoint
      .request(inShape, signal)
      .catch((error) =>
        isUnknownShape(error)
          ? this.#endpoint.request(body, signal)
          : Promise.reject(error),
      )
  }

  #away(error: unknown): ModelUnavailable {
    const retryAfterMs = Math.min(
      Math.max(getPauseMs(error) ?? awayMs.usual, awayMs.min),
      awayMs.max,
    )
    this.#awayUntil = performance.now() + retryAfterMs
    this.#log.warn(
      { err: error },
      'the language model is unavailable; requests fail until the next attempt',
    )
    return new ModelUnavailable('the language model is unavailable', retryAfterMs, {
      cause: error,
    })
  }

  close() {
    return this.#endpoint.close()
  }
}

export function openCompletions(settings: ModelSettings, log: Logger): Completions {
  const model = new Model(settings, log)
  const turns = new FairTurns({ capacity: atOnce })
  const closing = new AbortController()
  return {
    async complete(question, workspaceId) {
      checkSize(question)
      const turn = turns.take(workspaceId)
      await turn.admitted
      const late = AbortSignal.timeout(timeoutMs)
      try {
        return await model.ask(question, AbortSignal.any([late, closing.signal]))
      } catch (error) {
        throw late.aborted
          ? new Error(
              `the language model did not answer within ${timeoutMs / 1_000} seconds`,
              {
                cause: error,
              },
            )
          : error
      } finally {
        turn.leave()
      }
    },
    async close() {
      closing.abort()
      await model.close()
    },
  }
}

function checkSize({ instructions, material }: ColumnQuestion): void {
  const bytes = Buffer.byteLength(instructions) + Buffer.byteLength(material)
  if (bytes > maxQuestionBytes)
    throw new Error(
      `the prompt for the language model has ${bytes} bytes; the limit is ${maxQuestionBytes}`,
    )
}

const toMessages = ({ instructions, material }: ColumnQuestion) => [
  { role: 'system', content: instructions },
  { role: 'user', content: material },
]

const isUnknownShape = (error: unknown) =>
  error instanceof EndpointError && [400, 422].includes(error.status)
/**
 * Returns whether any question would fail: the endpoint is unreachable or overloaded, or rejects
 * the key.
 */
const isAway = (error: unknown) =>
  error instanceof EndpointError
    ? [401, 403, 408, 429, 502, 503, 504].includes(error.status)
    : isBroken(error as { code?: string })
/**
 * Only errors of the network and its client have a code. An answer that is too long does not make
 * the endpoint unavailable.
 */
const isBroken = ({ code }: { code?: string }) =>
  code !== undefined && code !== 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
const mayPass = (error: unknown) =>
  isAway(error) || (error instanceof EndpointError && error.status >= 500)
const getPauseMs = (error: unknown) =>
  error instanceof EndpointError ? error.retryAfterMs : null

function parseCompletion(response: unknown): Completion {
  const { choices, usage } = response as {
    choices?: { message?: { content?: unknown } }[]
    usage?: { cost?: unknown; prompt_tokens?: unknown; completion_tokens?: unknown }
  }
  const text = choices?.[0]?.message?.content
  return {
    text: typeof text === 'string' ? separateThoughts(text).text : '',
    dollars: positive(usage?.cost),
    inputTokens: Math.round(positive(usage?.prompt_tokens)),
    outputTokens: Math.round(positive(usage?.completion_tokens)),
  }
}

function positive(value: unknown): number {
  const number = Number(value)
  return number > 0 && Number.isFinite(number) ? number : 0
}
