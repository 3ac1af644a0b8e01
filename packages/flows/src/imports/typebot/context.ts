// Values that all conversions of blocks share.
import type { Card } from '../../document/card-shapes.ts'
import type { Assembly } from '../assembly.ts'
import type { ImportResult } from '../report.ts'
import type { TypebotTexts } from './texts.ts'

export interface TypebotContext {
  bot: Assembly
  texts: TypebotTexts
  /** Whether the file has a group with this id. */
  knows: (group: string) => boolean
}

/** Cards of a block. The result and the note are those of its kind unless they are given. */
export interface Step {
  cards: Card[]
  result?: ImportResult
  note?: string
}
