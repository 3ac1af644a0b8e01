// `bot.json`: a bot as one document. What every bot has (the contract's BotDocument), and beside it what an author writes as flows. The same shape goes
// in by publishFromBotJson and comes out by getBotJson; `schemaOf` is published, so that editors complete it.
import { ActionDefinition, BotDocument, closed, mapOf } from '@botstead/contract'
import { type Static, Type as T } from 'typebox'
import { Card } from './card-shapes.ts'
import { about, Code, Expression, Name, named, oneBy, Target, Word } from './shapes.ts'

/** Documents of older versions are brought up to this one (migrate.ts). */
export const documentVersion = 2

export const variableTypes = ['string', 'number', 'boolean', 'object', 'array', 'date', 'any'] as const

export const Variable = closed({
  type: about('Type of its values', T.Enum([...variableTypes])),
  default: about('Value before the first write', T.Optional(T.Unsafe<unknown>({}))),
  description: about('Text for people', T.Optional(T.String({ maxLength: 2000 }))),
})
export type Variable = Static<typeof Variable>

const ConfigurationVariable = closed({ ...Variable.properties, secret: T.Optional(T.Boolean()) })

const variables = (description: string) => T.Optional(named(Word, Variable, description))

export const Variables = closed({
  conversation: variables('Kept for as long as the conversation'),
  user: variables('Kept for the user, in all conversations'),
  bot: variables('Shared by all conversations'),
  configuration: T.Optional(
    named(
      Word,
      ConfigurationVariable,
      'Set by who runs the bot (its configuration), read as env.name. A secret one leaves the server in no document',
    ),
  ),
})

export const nodeTypes = ['start', 'entry', 'standard', 'exit', 'end', 'trigger', 'exception'] as const

/**
 * `start`: where main begins; `entry`: where any other flow does. `exit`: after its cards the flow is over, and who called it goes on; `end`: the
 * conversation is. `trigger`: where triggers lead to. `exception`: where the flow goes on when a card of it fails.
 */
export const FlowNode = closed({
  type: about('Type of the node', T.Enum([...nodeTypes])),
  description: about('Text for people', T.Optional(T.String({ maxLength: 2000 }))),
  cards: about('Cards, run one after another', T.Optional(T.Array(Card, { maxItems: 200 }))),
  next: about('Next node when no card led elsewhere. Without it: the flow ends', T.Optional(Target)),
})
export type FlowNode = Static<typeof FlowNode>

export const Flow = closed({
  description: about('Text for people', T.Optional(T.String({ maxLength: 2000 }))),
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
  node: about('Its node; by default the one of type `trigger`, else its first node', T.Optional(Name)),
  when: about('Condition', T.Optional(Expression)),
}

export const Trigger = oneBy(
  'type',
  {
    /** The first event of a conversation; the event itself is handled after it. */
    conversationStarted: closed({ type: T.Literal('conversationStarted'), ...leadsTo }),
    /** Any event, by its name: the bot's own, or an integration's as `integration:event`. */
    event: closed({
      type: T.Literal('event'),
      event: about(
        'Event of the bot, or of an integration as `integration:event`',
        T.String({ minLength: 1, maxLength: 200 }),
      ),
      ...leadsTo,
    }),
    /** Five fields, in UTC. */
    schedule: closed({
      type: T.Literal('schedule'),
      cron: about('Cron expression of five fields, in UTC', T.String({ minLength: 9, maxLength: 200 })),
      payload: about(
        'Payload of the event',
        T.Optional(T.Unsafe<Record<string, unknown>>({ type: 'object' })),
      ),
      ...leadsTo,
    }),
  },
  'What starts a flow that nobody called',
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
    'An error ends the turn. Without it: the error becomes an issue, and the turn continues',
    T.Optional(T.Boolean()),
  ),
})
export type Hook = Static<typeof Hook>

/** As other bots and integrations declare theirs; with `code`, the bot runs it. */
export const Action = closed({ ...ActionDefinition.properties, code: T.Optional(Code) })
export type Action = Static<typeof Action>

export const CaptureDefaults = closed({
  retries: about(
    'How often the bot asks again (3 by default)',
    T.Optional(T.Integer({ minimum: 0, maximum: 100 })),
  ),
  retryMessage: about('Message after an unsuitable answer', T.Optional(T.String({ maxLength: 10_000 }))),
  cancelWords: about(
    'Words by which the user gives up',
    T.Optional(T.Array(T.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })),
  ),
  timezone: about('IANA time zone of dates (UTC by default)', T.Optional(T.String({ maxLength: 100 }))),
})

export const Settings = closed({
  inactivityTimeout: about(
    'Seconds of silence after which a conversation ends (1,800 by default); 0 is never',
    T.Optional(T.Integer({ minimum: 0, maximum: 2_592_000 })),
  ),
  nodeRepetitionLimit: about(
    'How often one turn may enter the same node (25 by default)',
    T.Optional(T.Integer({ minimum: 1, maximum: 10_000 })),
  ),
  codeTimeout: about(
    'Milliseconds that one run of code may take (10,000 by default)',
    T.Optional(T.Integer({ minimum: 10, maximum: 600_000 })),
  ),
  defaults: about('Defaults of all captures', T.Optional(CaptureDefaults)),
})
export type Settings = Static<typeof Settings>

/** By its name on the server. */
const KnowledgeBase = closed({
  name: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
  description: T.Optional(T.String({ maxLength: 2000 })),
})

/** As createTable takes it. It is made when the bot first needs it, and there is none of that name. */
const Table = closed({
  schema: T.Unsafe<Record<string, unknown>>({ type: 'object' }),
  keyColumn: T.Optional(T.String({ maxLength: 200 })),
  description: T.Optional(T.String({ maxLength: 2000 })),
})

/** What an author writes. A document has all of it, or none but actions and recurring things of its own: `flows` says which. */
export const authored = {
  settings: T.Optional(Settings),
  variables: T.Optional(Variables),
  flows: T.Optional(
    named(
      Name,
      Flow,
      'main is where conversations are; error, timeout and conversationEnd are gone to when what their name says happens',
    ),
  ),
  hooks: T.Optional(T.Array(Hook, { maxItems: 200, description: 'Several of a kind run in this order' })),
  triggers: T.Optional(named(Name, Trigger, 'What starts flows that nobody calls')),
  knowledgeBases: T.Optional(named(Name, KnowledgeBase, 'What the bot looks things up in')),
  tables: T.Optional(named(Word, Table, 'What the bot expects; code has an object <name>Table for each')),
  /** The files that code is in, by their path: whoever deploys puts them here. */
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
  actions: T.Optional(mapOf(Action)),
  ...authored,
})
export type AuthoredDocument = Static<typeof AuthoredDocument>

/** One with flows: what the engine runs. */
export type FlowDocument = AuthoredDocument & { flows: Record<string, Flow> }

/** The JSON Schema under its address. */
export const schemaOf = ($id: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id,
  title: 'A bot',
  ...AuthoredDocument,
})
