// The parts of prompts that the Cognitive API and the OpenAI API share.
import type { LanguageModelV3FilePart, LanguageModelV3Message } from '@ai-sdk/provider'
import { ApiError } from '@botstead/contract'
import type { FastifyReply } from 'fastify'
import type { Caller, Services } from '../../../core/http/index.ts'
import type { RealtimeServices } from '../../../core/realtime/index.ts'
import type { TextCall } from '../gateway/call.ts'

export type CallOptions = TextCall['options']
export type PromptMessage = LanguageModelV3Message

/** Bytes of an image or audio in a request. */
const maxMediaBytes = 25 * 1_048_576

const dataUri = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=-]+)*;base64,/i

interface Media {
  type: 'image' | 'audio'
  url: string | undefined
  mimeType: string | undefined
}

/** Throws InvalidPayload. `field` names the URL in the error. */
export function toFilePart(
  { type, url, mimeType }: Media,
  field: string,
): LanguageModelV3FilePart {
  if (!url) throw new ApiError('InvalidPayload', `\`${field}\` is missing`)
  const [head, inUri] = dataUri.exec(url) ?? []
  const mediaType = mimeType ?? inUri ?? `${type}/*`
  if (head !== undefined)
    return { type: 'file', mediaType, data: decoded(url, head.length, field) }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new ApiError(
      'InvalidPayload',
      `\`${field}\` must be an http(s) URL or a base64 data URI`,
    )
  return { type: 'file', mediaType, data: new URL(url) }
}

function decoded(url: string, from: number, field: string): Uint8Array {
  if ((url.length - from) * 0.75 > maxMediaBytes)
    throw new ApiError(
      'PayloadTooLarge',
      `\`${field}\` is larger than ${maxMediaBytes} bytes`,
    )
  return Buffer.from(url.slice(from), 'base64')
}

const answerStopped = () =>
  new ApiError('ResourceGone', 'The answer was stopped: make no more calls for it')

/** Returns the error of a call that failed because the answer was stopped, otherwise the error. */
export const toFailure = ({ reason }: AbortSignal, error: unknown): unknown =>
  reason instanceof ApiError ? reason : error

/**
 * Returns a signal that aborts when the client disconnects before its response is complete, or when
 * the answer is stopped on which it works: of the event that it handles, otherwise of the
 * conversation.
 */
export function callSignal(
  { stops }: Services & RealtimeServices,
  { botId, cause }: Caller<'bot'>,
  { raw }: FastifyReply,
  conversationId: string | null = null,
): AbortSignal {
  const controller = new AbortController()
  const work = stops.follow({ botId, eventId: cause, conversationId })
  work.onStop = () => controller.abort(answerStopped())
  const close = () => {
    stops.unfollow(work)
    controller.abort()
  }
  if (raw.destroyed) close()
  else raw.once('close', close)
  return controller.signal
}
