// The schema of `bot.json`: the fields of every bot (BotDocument of the contract) and the author's
// flows. publishFromBotJson accepts and getBotJson returns this shape. The server publishes
// `schemaOf`, so that editors can complete documents.
import { ActionDefinition, BotDocument, closed, dictionary } from '@botstead/contract'
import { type Static, Type as T } from 'typebox'
import { agentFields } from '../agent/agent-shape.ts'
import { Card } from './card-shapes.ts'
import { ConversationTests } from './conversation-tests.ts'
import { Languages } from './languages.ts'
import {
  about,
  Code,
  Expression,
  Name,
  named,
  oneBy,
  Target,
  variableTypes,
  Word,
  where,
} from './shapes.ts'

/** Current version of the format; migrate.ts converts older documents. */
export const documentVersion = 2

export const Variable = closed({
  type: about('Type of its values', T.Enum([...variableTypes])),
  default: about('Value before the first write', T.Optional(T.Unsafe<unknown>({}))),
  description: about(
    'Description for readers of the document',
    T.Optional(T.String({ maxLength: 2000 })),
  ),
})
export type Variable = Static<typeof Variable>

const ConfigurationVariable = closed({
  ...Variable.properties,
  secret: T.Optional(T.Boolean()),
})

const variables = (description: string) => T.Optional(named(Word, Variable, description))

export const Variables = closed({
  conversation: variables('Variables kept with the conversation, as `conversation.name`'),
  user: variables('Variables kept with the user in all conversations, as `user.name`'),
  bot: variables('Variables that all conversations of the bot share, as `bot.name`'),
  configuration: T.Optional(
    named(
      Word,
      ConfigurationVariable,
      "Values of the bot's configuration, read-only as `env.name`. Exported documents omit values " +
        'with `secret: true`',
    ),
  ),
})

export const nodeTypes = [
  'start',
  'entry',
  'standard',
  'exit',
  'end',
  'trigger',
  'exception',
  'agent',
] as const
type NodeType = (typeof nodeTypes)[number]

const Coordinate = T.Integer({ minimum: -1_000_000, maximum: 1_000_000 })

const nodeFields = {
  description: about(
    'Description for readers of the document',
    T.Optional(T.String({ maxLength: 2000 })),
  ),
  cards: about(
    'Cards, run one after another',
    T.Optional(T.Array(Card, { maxItems: 200 })),
  ),
  next: about(
    'Next node after the last card. Without it, the flow ends',
    T.Optional(Target),
  ),
  position: about(
    'Position on the page Flows of the dashboard; the bot does not use it',
    T.Optional(closed({ x: Coordinate, y: Coordinate })),
  ),
}

/** Returns a schema that allows these fields beside those of every node. */
function onlyWith(fields: object, required: string[] = []) {
  const common = ['type', ...Object.keys(nodeFields)].map((name) => [name, {}])
  return {
    properties: { ...Object.fromEntries(common), ...fields },
    required,
    additionalProperties: false,
  }
}

/**
 * - `start`: first node of main
 * - `entry`: first node of any other flow
 * - `exit`: ends the flow after its cards; the calling flow continues
 * - `end`: ends the conversation after its cards
 * - `trigger`: where triggers enter the flow
 * - `exception`: where the flow continues after a card fails
 */
export const PlainNode = closed({
  type: about(
    'Type of the node',
    T.Unsafe<Exclude<NodeType, 'agent'>>({ enum: [...nodeTypes], type: 'string' }),
  ),
  ...nodeFields,
})

/** A language model that talks and calls tools after the node's cards, until it takes an exit. */
export const AgentNode = closed({
  type: T.Literal('agent'),
  ...nodeFields,
  next: about(
    'Next node after an exit without `to`. Without it, the flow ends',
    T.Optional(Target),
  ),
  ...agentFields,
})
export type AgentNode = Static<typeof AgentNode>

/** Names the common fields only once, because cards are most of the schema. */
export const FlowNode = T.Unsafe<Static<typeof PlainNode> | AgentNode>({
  ...PlainNode,
  additionalProperties: true,
  ...where('type', 'agent', onlyWith(agentFields, ['instructions'])),
  else: onlyWith({}),
})
export type FlowNode = Static<typeof FlowNode>

export const Flow = closed({
  description: about(
    'Description for readers of the document',
    T.Optional(T.String({ maxLength: 2000 })),
  ),
  tool: about(
    'Offers the flow as a tool of the MCP server of the bot',
    T.Optional(
      closed({
        title: T.Optional(T.String({ maxLength: 64 })),
        description: T.Optional(T.String({ maxLength: 256 })),
      }),
    ),
  ),
  variables: variables('Variables while the flow runs, as `workflow.name`'),
  inputs: variables('Values from the calling flow, as `workflow.name`'),
  outputs: variables('Values for the calling flow, as `workflow.name`'),
  nodes: named(
    Name,
    FlowNode,
    'Nodes by name. `main` begins at its node of type `start`, any other flow at its `entry`',
  ),
})
export type Flow = Static<typeof Flow>

const leadsTo = {
  flow: about('Flow to start', Name),
  node: about(
    'Node to start at; by default the node of type `trigger`, otherwise the first node of the flow',
    T.Optional(Name),
  ),
  when: about('Condition', T.Optional(Expression)),
}

export const Trigger = oneBy(
  'type',
  {
    /** Fires on the first event of a conversation. The event itself is handled after the flow. */
    conversationStarted: closed({
      type: T.Literal('conversationStarted', { title: 'A conversation starts' }),
      ...leadsTo,
    }),
    /**
     * Fires on an event, by its name: an event of the bot, or of an integration as
     * `integration:event`.
     */
    event: closed({
      type: T.Literal('event', { title: 'An event arrives' }),
      event: about(
        'Event of the bot, or of an integration as `integration:event`',
        T.String({ minLength: 1, maxLength: 200 }),
      ),
      ...leadsTo,
    }),
    schedule: closed({
      type: T.Literal('schedule', { title: 'At a time' }),
      cron: about(
        'Cron expression of five fields, in UTC',
        T.String({ minLength: 9, maxLength: 200 }),
      ),
      payload: about(
        'Payload of the event',
        T.Optional(T.Unsafe<Record<string, unknown>>({ type: 'object' })),
      ),
      ...leadsTo,
    }),
  },
  'Starts a flow when a conversation starts, on an event or on a schedule',
)
export type Trigger = Static<typeof Trigger>

export const hookKinds = [
  'beforeIncoming',
  'afterIncoming',
  'beforeOutgoing',
  'afterTurnEnd',
  'afterConversationEnd',
] as const

export const Hook = closed({
  kind: about('When it runs; see Hooks', T.Enum([...hookKinds])),
  name: about('Name in traces and issues', T.Optional(T.String({ maxLength: 200 }))),
  code: about('Code to run', Code),
  breaksTurn: about(
    'If true, an error of the hook ends the turn. Otherwise the error becomes an issue and the turn ' +
      'continues',
    T.Optional(T.Boolean()),
  ),
})
export type Hook = Static<typeof Hook>

/** An action as every bot declares it. With `code`, the engine runs it. */
export const Action = closed({ ...ActionDefinition.properties, code: T.Optional(Code) })
export type Action = Static<typeof Action>

export const CaptureDefaults = closed({
  retries: about(
    'How often the bot asks again (3 by default)',
    T.Optional(T.Integer({ minimum: 0, maximum: 100 })),
  ),
  retryMessage: about(
    'Message after an unsuitable answer',
    T.Optional(T.String({ maxLength: 10_000 })),
  ),
  cancelWords: about(
    'Words with which the user cancels',
    T.Optional(T.Array(T.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })),
  ),
  timezone: about(
    'IANA time zone of dates (UTC by default)',
    T.Optional(T.String({ maxLength: 100 })),
  ),
  locale: about(
    'BCP 47 tag of the language and region in which users write numbers, dates and phone numbers, such ' +
      'as `de-CH`. By default the variable `user.locale`',
    T.Optional(T.String({ minLength: 2, maxLength: 100 })),
  ),
})

export const Settings = closed({
  inactivityTimeout: about(
    'Seconds without an event after which a conversation ends (1,800 by default); 0 disables the timeout',
    T.Optional(T.Integer({ minimum: 0, maximum: 2_592_000 })),
  ),
  nodeRepetitionLimit: about(
    'How often one turn may enter the same node (25 by default)',
    T.Optional(T.Integer({ minimum: 1, maximum: 10_000 })),
  ),
  codeTimeout: about(
    'Maximum duration of one run of code in milliseconds (10,000 by default)',
    T.Optional(T.Integer({ minimum: 10, maximum: 600_000 })),
  ),
  modelTimeout: about(
    'Maximum duration of one call of a model in milliseconds (45,000 by default)',
    T.Optional(T.Integer({ minimum: 100, maximum: 600_000 })),
  ),
  typingIndicator: about(
    'Shows that the bot writes while a turn takes longer than half a second (off by default)',
    T.Optional(T.Boolean()),
  ),
  defaults: about('Defaults of all captures', T.Optional(CaptureDefaults)),
})
export type Settings = Static<typeof Settings>

/** `name` is the name on the server; by default the key in the document. */
const KnowledgeBase = closed({
  name: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
  description: T.Optional(T.String({ maxLength: 2000 })),
})

/**
 * In the format of createTable. The engine creates the table on first use if the server has none of
 * that name.
 */
const Table = closed({
  schema: T.Unsafe<Record<string, unknown>>({ type: 'object' }),
  keyColumn: T.Optional(T.String({ maxLength: 200 })),
  description: T.Optional(T.String({ maxLength: 2000 })),
})

/** Fields of documents with flows. A document without `flows` may have none of them. */
export const authored = {
  settings: T.Optional(Settings),
  languages: about('Translations of the texts of the bot', T.Optional(Languages)),
  variables: T.Optional(Variables),
  flows: T.Optional(
    named(
      Name,
      Flow,
      'Flows by name. Conversations start in `main`; the engine enters `error`, `timeout` and ' +
        '`conversationEnd`',
    ),
  ),
  hooks: T.Optional(
    T.Array(Hook, {
      maxItems: 200,
      description: 'Hooks; those of one kind run in this order',
    }),
  ),
  triggers: T.Optional(named(Name, Trigger, 'Triggers by name')),
  knowledgeBases: T.Optional(
    named(Name, KnowledgeBase, 'Knowledge bases that the bot searches, by name'),
  ),
  tables: T.Optional(
    named(Word, Table, 'Tables of the bot by name; code uses each as <name>Table'),
  ),
  tests: T.Optional(ConversationTests),
  /** Content of code files by path. The deploying client fills it in. */
  files: T.Optional(
    T.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 1_000_000 },
    }),
  ),
}

const { actions: _declared, version: _version, ...ofEveryBot } = BotDocument.properties

export const AuthoredDocument = closed({
  ...ofEveryBot,
  version: T.Literal(documentVersion),
  actions: T.Optional(dictionary(Action)),
  ...authored,
})
export type AuthoredDocument = Static<typeof AuthoredDocument>

/** A document with flows, which the engine runs. */
export type FlowDocument = AuthoredDocument & { flows: Record<string, Flow> }

/** Returns the JSON Schema with the given URL as its id. */
export const schemaOf = ($id: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id,
  title: 'A bot',
  ...AuthoredDocument,
})
