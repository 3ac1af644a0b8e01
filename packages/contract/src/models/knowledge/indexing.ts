import { Type as T } from 'typebox'
import { closed } from '../../fields.ts'

const integer = (minimum: number, maximum: number) =>
  T.Optional(T.Integer({ minimum, maximum }))

/** Options for splitting a file's text into passages. */
export const Indexing = closed({
  configuration: closed({
    parsing: T.Optional(
      closed({
        mode: T.Optional(T.Enum(['agent', 'standard'])),
        minimumParagraphLength: integer(50, 2000),
        smartCleanup: T.Optional(T.Boolean()),
      }),
    ),
    chunking: T.Optional(
      closed({
        maximumChunkLength: integer(100, 5000),
        embeddedContextLevels: integer(0, 3),
        embedBreadcrumb: T.Optional(T.Boolean()),
      }),
    ),
    summarization: T.Optional(
      closed({
        enable: T.Optional(T.Boolean()),
        modelType: T.Optional(T.Enum(['inexpensive', 'balanced', 'accurate'])),
        minimumInputLength: integer(1000, 10_000),
        outputTokenLimit: integer(1000, 10_000),
        generateMasterSummary: T.Optional(T.Boolean()),
      }),
    ),
    stack: T.Optional(T.Enum(['legacy', 'realtime-v1'])),
    vision: T.Optional(
      closed({
        transcribePages: T.Optional(T.Unknown()),
        indexPages: T.Optional(T.Unknown()),
      }),
    ),
  }),
})
