// The schema of tests: conversations that the bot must be able to have.
import { closed } from '@botstead/contract'
import { type Static, Type as T } from 'typebox'
import { about, named } from './shapes.ts'

const Rows = T.Unsafe<Record<string, unknown[]>>({
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'object' } },
})
const Values = T.Unsafe<Record<string, unknown>>({ type: 'object' })

/**
 * The form of steps and replies is checked in testing/conversation-script.ts, with better messages.
 */
export const ConversationTest = closed({
  now: about(
    'Start time; the clock moves only by `wait`',
    T.Optional(T.String({ maxLength: 40 })),
  ),
  configuration: about('Values of `env`', T.Optional(Values)),
  user: about('Tags of the user', T.Optional(Values)),
  knowledge: about(
    'Passages by knowledge base: a list of `{ title, content }`',
    T.Optional(Rows),
  ),
  tables: about('Rows at the start, by table', T.Optional(Rows)),
  actions: about(
    'Outputs of actions of integrations and MCP servers, by `alias:action`; `{ error }` throws',
    T.Optional(Values),
  ),
  models: about(
    'Replies of models in their order: a text, an object, or `{ toolCalls: [{ tool: input }] }`',
    T.Optional(T.Array(T.Unknown(), { maxItems: 200 })),
  ),
  steps: about(
    'In order, each with one field: `user` (a text or a message), `bot` (a text, `{ contains }`, ' +
      '`{ matches }`, a message or "nothing"), `variables`, `wait` such as "2h", `event`, `tables`, ' +
      '`handoff`. A message of the bot that no step expects is a failure',
    T.Array(Values, { maxItems: 500 }),
  ),
})

const maxTests = 200

export const ConversationTests = T.Unsafe<
  Record<string, Static<typeof ConversationTest>>
>({
  ...named(
    T.String({ minLength: 1, maxLength: 200 }),
    ConversationTest,
    'Tests by name: conversations that the bot must be able to have',
  ),
  maxProperties: maxTests,
})
