import { Type as T } from 'typebox'
import { closed, dictionary } from '../../fields.ts'
import { operation } from '../../operation.ts'

const heading = {
  name: T.String(),
  title: T.String(),
  description: T.String(),
  /** Whether the bot needs a language model. */
  needsModel: T.Boolean(),
  /** Bytes of all its files. */
  size: T.Integer({ minimum: 0 }),
}

export const examples = {
  listExamples: operation({
    method: 'GET',
    path: '/v1/platform/examples',
    access: 'workspace',
    permission: 'bots.create',
    summary: 'List example bots',
    description:
      'Those without a model first, of these the most wanted. `hasModel`: whether the workspace has a ' +
      'language model for bots that need one.',
    response: closed({ examples: T.Array(closed(heading)), hasModel: T.Boolean() }),
    errors: [],
  }),
  getExample: operation({
    method: 'GET',
    path: '/v1/platform/examples/{example}',
    access: 'workspace',
    permission: 'bots.create',
    summary: 'Get an example bot with its files',
    description:
      'Returns the text of each file by its path. Either `bot.json` is the document of the bot, or ' +
      '`bot.cjs` its bundle. `knowledge/<name>/<file>` is a file of the knowledge base `<name>`.',
    params: T.Object({ example: T.String() }),
    response: closed({ example: closed({ ...heading, files: dictionary(T.String()) }) }),
    errors: ['ResourceNotFound'],
  }),
}
