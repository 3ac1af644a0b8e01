// Answers of a language model, any that speaks like OpenAI's (`POST …/chat/completions`), when the operator names one: then what it is asked about goes there.
// A few questions at a time. One that is away is left alone for a while: whoever asks meanwhile is told so at once.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { openSeats } from '../lib/seats.ts'
import { EndpointRefused, type ModelSettings, openEndpoint } from './endpoint.ts'

export interface Question {
  /** What it is to do, and with what. */
  instructions: string
  material: string
  /** JSON Schema of the answer. */
  schema: object
}

export interface Answer {
  text: string
  /** What it has cost, where the endpoint says so; otherwise zero. */
  dollars: number
}

export interface Completions {
  /** Throws ModelAway; any other error is about this question. */
  ask(question: Question): Promise<Answer>
  close(): Promise<void>
}

/** It has no answer for anybody at this time. */
export class ModelAway extends Error {
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
  }
}

const atOnce = 4
/** For one question, in milliseconds. */
const patienceMs = 120_000
const mostQuestionBytes = 262_144
const mostAnswerBytes = 1_048_576
/** Before it is asked again; it may say another time itself. */
const pausesMs = [1_000, 4_000]
const longestPauseMs = 10_000
const awayMs = { least: 1_000, usual: 30_000, most: 600_000 }

export function openCompletions({ url, key, model }: ModelSettings, log: Logger): Completions {
  const endpoint = openEndpoint({
    url,
    key,
    path: '/chat/completions',
    name: 'the language model',
    mostAnswerBytes,
  })
  const seats = openSeats(atOnce)
  const closing = new AbortController()
  let awayUntil = 0

  const answer = async (question: Question, signal: AbortSignal) => {
    const body = { model, messages: messagesOf(question) }
    const inShape = {
      ...body,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: question.schema } },
    }
    // some do not know shapes, and some not this one: the instructions say it as well
    return endpoint
      .ask(inShape, signal)
      .catch((error) => (isUnknownShape(error) ? endpoint.ask(body, signal) : Promise.reject(error)))
  }
  const insist = async (question: Question, signal: AbortSignal) => {
    for (let attempt = 0; ; attempt++) {
      if (performance.now() < awayUntil)
        throw new ModelAway('the language model is away', awayUntil - performance.now())
      try {
        return answerOf(await answer(question, signal))
      } catch (error) {
        if (signal.aborted || !mayPass(error)) throw error
        const usual = pausesMs[attempt]
        const pauseMs = pauseOf(error) ?? usual ?? 0
        if (usual === undefined || pauseMs > longestPauseMs) throw isAway(error) ? away(error) : error
        await pause(pauseMs, null, { signal })
      }
    }
  }
  const away = (error: unknown) => {
    const retryAfterMs = Math.min(Math.max(pauseOf(error) ?? awayMs.usual, awayMs.least), awayMs.most)
    awayUntil = performance.now() + retryAfterMs
    log.warn({ err: error }, 'the language model is away; trying again')
    return new ModelAway('the language model is away', retryAfterMs, { cause: error })
  }

  return {
    async ask(question) {
      const bytes = Buffer.byteLength(question.instructions) + Buffer.byteLength(question.material)
      if (bytes > mostQuestionBytes)
        throw new Error(
          `the language model would be asked with ${bytes} bytes; ${mostQuestionBytes} are allowed`,
        )
      const seat = seats.take()
      await seat.taken
      const late = AbortSignal.timeout(patienceMs)
      try {
        return await insist(question, AbortSignal.any([late, closing.signal]))
      } catch (error) {
        throw late.aborted
          ? new Error(`the language model had no answer within ${patienceMs / 1_000} seconds`, {
              cause: error,
            })
          : error
      } finally {
        seat.leave()
      }
    },
    async close() {
      closing.abort()
      await endpoint.close()
    },
  }
}

const messagesOf = ({ instructions, material }: Question) => [
  { role: 'system', content: instructions },
  { role: 'user', content: material },
]

const isUnknownShape = (error: unknown) =>
  error instanceof EndpointRefused && [400, 422].includes(error.status)
/** For whatever question: no way to it, too much to do, or a key that the operator has to mend. */
const isAway = (error: unknown) =>
  error instanceof EndpointRefused
    ? [401, 403, 408, 429, 502, 503, 504].includes(error.status)
    : isBroken(error as { code?: string })
/** Only what the network and its client throw has a code; that an answer is too long is no fault of theirs. */
const isBroken = ({ code }: { code?: string }) =>
  code !== undefined && code !== 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
const mayPass = (error: unknown) => isAway(error) || (error instanceof EndpointRefused && error.status >= 500)
const pauseOf = (error: unknown) => (error instanceof EndpointRefused ? error.retryAfterMs : null)

function answerOf(said: unknown): Answer {
  const { choices, usage } = said as {
    choices?: { message?: { content?: unknown } }[]
    usage?: { cost?: unknown }
  }
  const text = choices?.[0]?.message?.content
  const cost = Number(usage?.cost)
  return { text: typeof text === 'string' ? text : '', dollars: cost > 0 && Number.isFinite(cost) ? cost : 0 }
}
