import { type Static, Type as T } from 'typebox'
import { Count, closed, dictionary, nullable, Timestamp } from '../../fields.ts'

const Format = T.Enum(['JSON', 'YAML'])

/** The account that saved a revision. */
const Editor = nullable(closed({ name: T.String() }))

/**
 * A draft: a document that people edit before they publish it. Revision 0 is the deployed document.
 * `hasChanges`: its content differs from the published one, or the bot was deployed in another way since.
 * @component
 */
export const BotDraft = closed({
  text: T.String(),
  format: Format,
  revision: Count,
  updatedAt: Timestamp,
  /** Null for a draft that the server made of the deployed document. */
  updatedBy: Editor,
  hasChanges: T.Boolean(),
  publishedRevision: nullable(Count),
})
export type BotDraft = Static<typeof BotDraft>

/** A test of a document. `step`: of the first failure, from 1; 0 is the test itself. @component */
export const DraftTestResult = closed({
  name: T.String(),
  ms: Count,
  failure: T.Optional(
    closed({
      step: Count,
      message: T.String(),
      /** Of the step. Null: no message. Absent for other failures, such as an error of the code. */
      difference: T.Optional(
        closed({ expected: nullable(T.String()), actual: nullable(T.String()) }),
      ),
      /** From where the bot sent the unexpected message, or where the conversation was. */
      place: T.Optional(
        closed({
          flow: T.String(),
          node: T.String(),
          /** Its index. */
          card: T.Optional(Count),
        }),
      ),
      /** The last turn as text. */
      trace: T.Optional(T.String()),
    }),
  ),
  /** The nodes that the conversation visited. */
  visited: T.Array(closed({ flow: T.String(), nodes: T.Array(T.String()) })),
  /** How many of them are left out: the results of a run list at most 20,000. */
  unlisted: T.Optional(Count),
})
export type DraftTestResult = Static<typeof DraftTestResult>

/** An earlier text of a draft, as lists show it. @component */
export const DraftRevision = closed({
  revision: Count,
  format: Format,
  createdAt: Timestamp,
  createdBy: Editor,
  isPublished: T.Boolean(),
})
export type DraftRevision = Static<typeof DraftRevision>

/**
 * A text of a draft for people, with its translations. `key` stays the same when the flow changes; that of a
 * card without `textKey` is its place until the first translation. `isStandard`: a sentence of the engine,
 * in English. `outdated`: made of an earlier original.
 * @component
 */
export const DraftTextEntry = closed({
  key: T.String(),
  text: T.String(),
  isStandard: T.Boolean(),
  flow: T.Optional(T.String()),
  node: T.Optional(T.String()),
  /** Type of the card. */
  card: T.Optional(T.String()),
  /** By language. */
  translations: dictionary(
    closed({
      state: T.Enum(['translated', 'outdated', 'missing']),
      text: nullable(T.String()),
    }),
  ),
})
export type DraftTextEntry = Static<typeof DraftTextEntry>
