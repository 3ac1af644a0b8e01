// Values that all conversions of steps share.
import type { Assembly } from '../assembly.ts'
import type { Json } from '../reading.ts'
import type { VoiceflowTexts } from './texts.ts'

export interface VoiceflowContext {
  bot: Assembly
  texts: VoiceflowTexts
  file: Json
}
