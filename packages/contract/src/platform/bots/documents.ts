import { Type as T } from 'typebox'
import { Count, closed, dictionary, Json } from '../../fields.ts'
import { operation } from '../../operation.ts'

/**
 * A mistake in a document. `pointer` is a JSON pointer into the document, `source` the position in
 * a code file, with the message for this position. Lines and columns count from 1.
 */
const Problem = closed({
  pointer: T.String(),
  message: T.String(),
  source: T.Optional(
    closed({
      file: T.String(),
      line: T.Integer({ minimum: 1 }),
      column: T.Integer({ minimum: 1 }),
      message: T.String(),
    }),
  ),
})

const Problems = T.Array(Problem, { maxItems: 100 })

const Result = T.Enum(['carried', 'changed', 'omitted'])

/** One part of the source: a node, a block or a document. */
const ImportEntry = closed({
  result: Result,
  /** In the words of the source, such as `choice input`. */
  kind: T.String(),
  name: T.String(),
  /** Flow and node in the document, as `flow/node`. */
  place: T.Optional(T.String()),
  /** The difference, or the remedy. */
  note: T.Optional(T.String()),
})

const ImportReport = closed({
  source: T.String(),
  name: T.String(),
  counts: closed({ carried: Count, changed: Count, omitted: Count }),
  entries: T.Array(ImportEntry),
  /** Names only. */
  secrets: T.Array(T.String()),
  knowledge: T.Array(closed({ base: T.String(), documents: T.Array(T.String()) })),
  remarks: T.Array(T.String()),
})

export const documents = {
  checkBotDocument: operation({
    method: 'POST',
    path: '/v1/platform/documents/check',
    access: 'workspace',
    // A check of a large document takes seconds of CPU, so only those who may deploy it may check it.
    permission: 'bots.update',
    audit: false,
    /** As for `publishFromBotJson` of the Admin API. */
    bodyLimit: 50 * 1_048_576,
    summary: 'Check the document of a bot',
    description:
      'Stores nothing. `problems` prevent the deployment, `warnings` are likely mistakes: the ' +
      'first 100 of each. A document with problems has no `warnings`. With `isPartial`, further ' +
      'problems may appear when these are corrected. `publishFromBotJson` also checks secrets, ' +
      'integrations, plugins and knowledge bases of the bot.',
    body: closed({ document: Json }),
    response: closed({ problems: Problems, warnings: Problems, isPartial: T.Boolean() }),
  }),
  convertBot: operation({
    method: 'POST',
    path: '/v1/platform/documents/convert',
    access: 'workspace',
    permission: 'bots.create',
    audit: false,
    bodyLimit: 16 * 1_048_576,
    summary: "Convert another builder's bot",
    description:
      'Stores nothing. `content` is the exported file in Base64, at most 10 MB, of Typebot, Dify, ' +
      'Flowise, Voiceflow, Botpress 12 or the Agent Builder of OpenAI. `text` is the document of the ' +
      'bot as JSON, for `saveBotDraft` or `publishFromBotJson`; the check finds no problem in it. ' +
      '`report` lists each part of the source: `carried`, `changed` (carried with a difference) or ' +
      '`omitted`. `files` are texts beside the document, such as those of knowledge bases, by path. No ' +
      'code of the file runs, and secrets are only named. A file without a bot: `InvalidPayload`, with ' +
      '`metadata.fault`.',
    body: closed({
      /** Its extension helps to recognize the format. */
      fileName: T.String({ minLength: 1, maxLength: 300 }),
      content: T.String({ minLength: 1, maxLength: 13_400_000 }),
    }),
    response: closed({
      text: T.String(),
      report: ImportReport,
      files: dictionary(T.String()),
    }),
    errors: ['InvalidPayload', 'OperationTimeout'],
  }),
}
