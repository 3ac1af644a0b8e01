// Telegram's formatting: entities beside the text, so that nothing needs an escape.

import { markdownNotation } from '../text/notations.ts'
import {
  type Mark,
  type MarkKind,
  type RichText,
  writeRichText,
} from '../text/rich-text.ts'
import type { Entity } from './types.ts'

const entityTypes: Record<MarkKind, string> = {
  bold: 'bold',
  italic: 'italic',
  strike: 'strikethrough',
  code: 'code',
  codeBlock: 'pre',
  quote: 'blockquote',
  link: 'text_link',
}

/** Telegram admits links to these only. */
const isLink = (url: string | undefined) => /^(https?|tg|mailto|tel):/i.test(url ?? '')

export const toEntities = ({ marks }: RichText): Entity[] =>
  marks
    .filter(({ kind, url }) => kind !== 'link' || isLink(url))
    .map(({ kind, from, to, url }) => ({
      type: entityTypes[kind],
      offset: from,
      length: to - from,
      ...(url && { url }),
    }))

const kinds = new Map(
  (Object.entries(entityTypes) as [MarkKind, string][]).map(([kind, type]) => [
    type,
    kind,
  ]),
)

/** Writes a received text as Markdown. */
export function writeEntities(text: string, entities: Entity[] = []): string {
  const marks = entities.flatMap(({ type, offset, length, url }): Mark[] => {
    const kind = kinds.get(type)
    return kind ? [{ kind, from: offset, to: offset + length, ...(url && { url }) }] : []
  })
  if (marks.length === 0) return text
  return writeRichText(
    { text, marks: marks.sort((a, b) => a.from - b.from || b.to - a.to) },
    markdownNotation,
  )
}
