// Kinds of parts that importers know, for reports and docs/moving-in.md.
import type { Assembly } from './assembly.ts'
import type { ImportResult } from './report.ts'

interface SupportedKind {
  /** In the document, in words of its reference. */
  becomes: string
  result: ImportResult
  /** The difference, or what to do instead. */
  note?: string
}

export type SupportedKinds = Record<string, SupportedKind>

interface Part {
  kind: string
  name: string
  /** Id of the source of the node in the document. */
  node?: string
  result?: ImportResult
  note?: string | undefined
}

/** Cards and nodes that do nothing without a language model. */
const modelCards = /`(?:aiTask|aiText|aiTransition|agent)`/

/** Adds a part to the report, with the result and note of its kind unless others are given. */
export function reportPart(bot: Assembly, kinds: SupportedKinds, part: Part): void {
  const known = Object.hasOwn(kinds, part.kind) ? kinds[part.kind] : undefined
  const { result, note } = known ?? unknownKind
  const own =
    part.note ?? (part.result === undefined || part.result === result ? note : undefined)
  const isOmitted = (part.result ?? result) === 'omitted'
  const needsModel = !isOmitted && modelCards.test(known?.becomes ?? '')
  const said = [own, needsModel && 'It needs a language model'].filter(Boolean).join('. ')
  const { kind, name, node } = part
  bot.report({
    kind,
    name,
    result: part.result ?? result,
    ...(node !== undefined && { node }),
    ...(said && { note: said }),
  })
}

export const toToolNote = (tools: string[]): string =>
  `Its tools are not carried: ${tools.join(', ')}. Connect them as MCP servers or actions, and use a ` +
  'node of type `agent`'

const unknownKind: Omit<SupportedKind, 'becomes'> = {
  result: 'omitted',
  note: 'The import does not know this kind. The node keeps its source as a comment: build this part again',
}
