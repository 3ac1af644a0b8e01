// Values that all conversions of nodes share.
import type { Assembly } from '../assembly.ts'
import type { BotpressElements } from './elements.ts'
import type { BotpressFiles } from './source.ts'
import type { BotpressTexts } from './texts.ts'

export interface BotpressContext {
  bot: Assembly
  texts: BotpressTexts
  elements: BotpressElements
  actions: Map<string, string>
  files: BotpressFiles
  usedIntents: Set<string>
}
