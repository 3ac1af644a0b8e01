// The input of the engine: a document and its compiled code.
import type { FlowDocument } from './document.ts'

export interface Program {
  document: FlowDocument
  /** Compiled code by its JSON pointer. */
  scripts: Record<string, Source>
}

/** JavaScript to run. */
export interface Source {
  code: string
  /** Name in errors: the path of the file, or `bot.json#` and the JSON pointer. */
  file: string
}
