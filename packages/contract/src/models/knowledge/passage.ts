import { type Static, Type as T } from 'typebox'
import { Json } from '../../fields.ts'
import { FileTags } from './file.ts'

const subtypes = [
  'title',
  'subtitle',
  'paragraph',
  'blockquote',
  'list',
  'table',
  'code',
  'image',
] as const

export const PassageMeta = T.Object({
  type: T.Optional(T.Enum(['chunk', 'summary', 'consolidated', 'image'])),
  subtype: T.Optional(T.Enum([...subtypes, 'page'])),
  pageNumber: T.Optional(T.Integer()),
  position: T.Optional(T.Integer()),
  sourceUrl: T.Optional(T.String({ format: 'uri' })),
})

/** A part of a file's text. */
export const Passage = T.Object({
  id: T.String(),
  content: T.String(),
  meta: PassageMeta,
})
export type Passage = Static<typeof Passage>

/** A passage that the caller provides. */
export const GivenPassage = T.Object({
  content: T.String(),
  type: T.Optional(T.Enum([...subtypes])),
  pageNumber: T.Optional(T.Integer()),
})

/** A search result with its file and, on request, the surrounding text. */
export const FoundPassage = T.Object({
  content: T.String(),
  score: T.Number(),
  meta: PassageMeta,
  file: T.Object({
    id: T.String(),
    key: T.String(),
    contentType: T.String(),
    metadata: Json,
    tags: FileTags,
    createdAt: T.String(),
    updatedAt: T.String(),
  }),
  context: T.Optional(
    T.Array(
      T.Object({
        id: T.Optional(T.String({ format: 'uuid' })),
        text: T.String(),
        offset: T.Optional(T.Integer()),
        type: T.Enum(['preceding', 'subsequent', 'current', 'breadcrumb']),
      }),
    ),
  ),
})
export type FoundPassage = Static<typeof FoundPassage>
