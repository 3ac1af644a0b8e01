// Transcriptions that the server makes itself, of what people say to a bot.
import { ApiError } from '@botstead/contract'
import type { ModelCaller } from './gateway/call.ts'
import type { Gateway } from './gateway/gateway.ts'
import { transcribe } from './gateway/other-kinds.ts'

interface Transcriber {
  /** Whether the bot has a model for it. */
  isConfigured(caller: ModelCaller): Promise<boolean>
  /** Returns the text, by the first model that answers. Throws ApiError. */
  transcribe(
    caller: ModelCaller,
    audio: { content: Uint8Array; mediaType: string },
    signal: AbortSignal,
  ): Promise<string>
}

const models = ['auto']

export const openTranscriber = (gateway: Gateway): Transcriber => ({
  async isConfigured(caller) {
    try {
      const { chain } = await gateway.resolve(caller, 'transcription', models, true)
      return chain.length > 0
    } catch (error) {
      if (error instanceof ApiError && error.type === 'ReferenceNotFound') return false
      throw error
    }
  },
  async transcribe(caller, { content, mediaType }, signal) {
    const call = { models, audio: content, mediaType, signal }
    return (await transcribe(gateway, caller, call)).value.text
  },
})
