// A card that does nothing: its code is a comment with the source of a part that was not carried.
import type { CardByType } from '../document/card-shapes.ts'

/** Each line break of JavaScript would end the comment. */
const lineBreak = /\r\n|[\n\r\u2028\u2029]/

const maxLines = 500

export const toNoteCard = (title: string, texts: string[]): CardByType<'code'> => ({
  type: 'code',
  name: title.slice(0, 200),
  code: [title, ...texts]
    .flatMap((text) => text.split(lineBreak))
    .slice(0, maxLines)
    .map((line) => `// ${line.slice(0, 1000)}`.trimEnd())
    .join('\n'),
})
