// Audio in prompts: for a model that cannot read it, another model transcribes it. The ledger
// has the transcription as a separate call, once for all attempts of the text call.
import type { LanguageModelV3FilePart, LanguageModelV3Prompt } from '@ai-sdk/provider'
import { ApiError } from '@botstead/contract'
import type { ModelAccess } from '../model-access.ts'
import type { Model } from '../providers/catalog.ts'
import type { ModelCaller, TextCall, Transcription } from './call.ts'
import { transcribe } from './other-kinds.ts'

/** All models of Google read audio. */
export const canHear = ({ capabilities, provider }: Model): boolean =>
  capabilities.supportsAudio ?? provider.type === 'google'

interface Heard {
  prompt: LanguageModelV3Prompt
  transcription: Transcription
}

export class Hearing {
  readonly #gateway: ModelAccess
  readonly #heard = new WeakMap<TextCall, Promise<Heard>>()

  constructor(gateway: ModelAccess) {
    this.#gateway = gateway
  }

  /** Returns the call with texts in place of audio. Throws ApiError. */
  async forModel(model: Model, call: TextCall, caller: ModelCaller): Promise<TextCall> {
    if (canHear(model) || !call.options.prompt.some(hasAudio)) return call
    const heard = this.#heard.get(call) ?? this.#hear(model, call, caller)
    this.#heard.set(call, heard)
    heard.catch(() => this.#heard.delete(call))
    return { ...call, options: { ...call.options, prompt: (await heard).prompt } }
  }

  /** Returns the transcription that the call used; null for none. */
  async usedBy(call: TextCall): Promise<Transcription | null> {
    return (await this.#heard.get(call))?.transcription ?? null
  }

  async #hear(model: Model, call: TextCall, caller: ModelCaller): Promise<Heard> {
    await this.#checkModel(model, call, caller)
    const used: Transcription = { model: '', provider: '', cost: 0, seconds: 0, parts: 0 }
    const hear = async <Part extends { type: string }>(part: Part) =>
      isAudio(part)
        ? { type: 'text' as const, text: await this.#read(part, call, caller, used) }
        : part
    const prompt = await Promise.all(
      call.options.prompt.map(async (message) =>
        message.role === 'user'
          ? { ...message, content: await Promise.all(message.content.map(hear)) }
          : message,
      ),
    )
    return { prompt, transcription: used }
  }

  async #checkModel(model: Model, call: TextCall, caller: ModelCaller): Promise<void> {
    await this.#gateway
      .resolve(caller, 'transcription', [call.transcriptionModel])
      .catch((error) => {
        if (!(error instanceof ApiError)) throw error
        const reason = `The model "${model.id}" cannot read audio. ${error.message}`
        throw new ApiError('InvalidPayload', reason)
      })
  }

  async #read(
    { data, mediaType }: LanguageModelV3FilePart,
    { transcriptionModel, signal }: TextCall,
    caller: ModelCaller,
    used: Transcription,
  ): Promise<string> {
    const { fetchMedia } = this.#gateway.deps
    const media =
      data instanceof URL
        ? await fetchMedia(caller.workspaceId, String(data), signal)
        : { data: data as Uint8Array, mediaType }
    const type = mediaType.endsWith('/*') ? (media.mediaType ?? 'audio/mpeg') : mediaType
    const { model, provider, cost, value } = await transcribe(this.#gateway, caller, {
      models: [transcriptionModel],
      audio: media.data,
      mediaType: type,
      signal,
    })
    Object.assign(used, { model, provider, cost: used.cost + cost })
    used.seconds += value.seconds
    used.parts++
    return value.text
  }
}

const isAudio = (part: { type: string }): part is LanguageModelV3FilePart =>
  part.type === 'file' && (part as LanguageModelV3FilePart).mediaType.startsWith('audio/')

const hasAudio = ({ role, content }: LanguageModelV3Prompt[number]) =>
  role === 'user' && content.some(isAudio)
