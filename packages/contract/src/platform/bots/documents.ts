import { Type as T } from 'typebox'
import { closed, Json } from '../../fields.ts'
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
}
