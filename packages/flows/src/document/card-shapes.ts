// The shapes of cards, the steps of a node.
import { closed, dictionary } from '@botstead/contract'
import { type Static, Type as T } from 'typebox'
import { Say } from './message-shapes.ts'
import {
  about,
  Code,
  Expression,
  JsonSchema,
  ModelChoice,
  Name,
  oneBy,
  Target,
  Template,
  TemplateJson,
  VariablePath,
  Word,
} from './shapes.ts'

/** The title is the name of the card in forms. */
const card = <Type extends string>(type: Type, title: string) => ({
  type: T.Literal(type, { title }),
  name: about(
    'Name of the card in traces and in `event.state.context`',
    T.Optional(T.String({ maxLength: 200 })),
  ),
})

/** Only cards with texts for people have one. */
const textKey = about(
  'Key of its texts in `languages.translations`. It stays with the card',
  T.Optional(Name),
)

const into = (description: string) => about(description, T.Optional(VariablePath))
const Seconds = T.Integer({ minimum: 1, maximum: 2_592_000 })
const seconds = (description: string) => about(description, T.Optional(Seconds))
const target = (description: string) => about(description, T.Optional(Target))

const input = about(
  'Values for the model to read, by name; by default `message`, the preview of the event',
  T.Optional(dictionary(TemplateJson)),
)
const onFail = target(
  'Next node after a failure of the model. Without it, the failure is an error of the card',
)

export const captureKinds = [
  'raw',
  'text',
  'number',
  'boolean',
  'confirmation',
  'email',
  'phone',
  'url',
  'date',
  'singleChoice',
  'multipleChoice',
  'regex',
  'file',
] as const

/** Kinds whose rules accept every text, or none. */
export const kindsWithoutModel: readonly string[] = ['raw', 'text', 'file']

const Option = closed({
  label: Template,
  value: Template,
  synonyms: T.Optional(T.Array(Template)),
})

export const CaptureCard = closed({
  ...card('capture', 'Ask for'),
  textKey,
  kind: about('Kind of answer', T.Enum([...captureKinds])),
  question: about('Message that the bot sends before it waits', T.Optional(Say)),
  into: about('Variable for the answer', VariablePath),
  options: about(
    'Choices of `singleChoice` and `multipleChoice`, or an expression in `{{ }}` that returns them',
    T.Optional(T.Union([Template, T.Array(Option, { maxItems: 1000 })])),
  ),
  pattern: about(
    'Pattern of `regex`',
    T.Optional(T.String({ minLength: 1, maxLength: 1000 })),
  ),
  min: about(
    'Minimum: of a number, a date, the characters of a text or the number of choices',
    T.Optional(T.Union([T.Number(), Template])),
  ),
  max: about('Maximum, as for `min`', T.Optional(T.Union([T.Number(), Template]))),
  validate: about(
    'Condition on the answer, which is the global `value`',
    T.Optional(Expression),
  ),
  byModel: about(
    'If true, a model reads answers in which the rules of the kind find nothing',
    T.Optional(T.Boolean()),
  ),
  model: ModelChoice,
  retryMessage: about('Message after an unsuitable answer', T.Optional(Say)),
  retries: about(
    'How often the bot asks again (3 by default)',
    T.Optional(T.Integer({ minimum: 0, maximum: 100 })),
  ),
  cancelWords: about(
    'Words with which the user cancels',
    T.Optional(T.Array(T.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })),
  ),
  cancelLabel: about(
    'Label of a button that cancels, below the choices or the question',
    T.Optional(Template),
  ),
  onCancel: target(
    'Next node after a cancel word. Without it, the next card runs and the variable is null',
  ),
  onFail: target(
    'Next node after the last retry. Without it, the next card runs and the variable is null',
  ),
  timeout: seconds('Seconds to wait for an answer'),
  onTimeout: target(
    'Next node after the timeout. Without it, the next card runs and the variable is null',
  ),
})
export type CaptureCard = Static<typeof CaptureCard>

export const cardShapes = {
  send: closed({
    ...card('send', 'Message'),
    textKey,
    message: about('Message, or the text of a text message', Say),
    tags: about('Tags of the message', T.Optional(dictionary(Template))),
    conversationId: about(
      'Conversation to send to; by default the current one',
      T.Optional(Template),
    ),
  }),
  capture: CaptureCard,
  transition: closed({
    ...card('transition', 'If'),
    when: about('Condition', Expression),
    to: about('Next node when the condition holds', Target),
  }),
  goTo: closed({ ...card('goTo', 'Go to'), to: about('Next node', Target) }),
  callFlow: closed({
    ...card('callFlow', 'Run a flow'),
    flow: about('Flow to call; this flow continues after it', Name),
    inputs: about(
      'Values for the inputs of the flow, by input',
      T.Optional(dictionary(TemplateJson)),
    ),
    outputs: about(
      'Variables for the outputs of the flow, by output',
      T.Optional(dictionary(VariablePath)),
    ),
  }),
  code: closed({ ...card('code', 'Code'), code: about('Code to run', Code) }),
  callAction: closed({
    ...card('callAction', 'Call an action'),
    action: about(
      'Action of the bot by its name, of an integration as `integration:action`, or of an MCP server ' +
        'as `server:tool`',
      T.String({ minLength: 1, maxLength: 200 }),
    ),
    input: about('Input of the action', T.Optional(TemplateJson)),
    into: into('Variable for its output'),
  }),
  queryKnowledge: closed({
    ...card('queryKnowledge', 'Search the knowledge'),
    query: about('Question; by default the preview of the event', T.Optional(Template)),
    knowledgeBases: about(
      "Knowledge bases; by default all of the document's",
      T.Optional(T.Array(Name)),
    ),
    limit: about(
      'Maximum number of passages (5 by default)',
      T.Optional(T.Integer({ minimum: 1, maximum: 50 })),
    ),
    minScore: about(
      'Minimum score of a passage (0.35 by default); a minimum score of the knowledge base replaces it',
      T.Optional(T.Number({ minimum: 0, maximum: 1 })),
    ),
    into: into('Variable for the passages, which are also in `event.kb`'),
  }),
  aiTask: closed({
    ...card('aiTask', 'Task for the model'),
    instructions: about('Task for the model', Template),
    input,
    output: about('JSON Schema of the result', JsonSchema),
    into: about('Variable for the result', VariablePath),
    model: ModelChoice,
    repairs: about(
      'How often the model may correct a result that does not match `output` (2 by default)',
      T.Optional(T.Integer({ minimum: 0, maximum: 5 })),
    ),
    onFail,
  }),
  aiTransition: closed({
    ...card('aiTransition', 'Let the model choose'),
    instructions: about('Further instructions for the model', T.Optional(Template)),
    input,
    transitions: about(
      'Descriptions in words, each with its next node; the model chooses one',
      T.Array(closed({ when: Template, to: Target }), { minItems: 1, maxItems: 50 }),
    ),
    otherwise: target('Next node if no description fits. Without it, the next card runs'),
    model: ModelChoice,
    onFail,
  }),
  aiText: closed({
    ...card('aiText', 'Text of the model'),
    instructions: about('Instructions for the text', Template),
    input,
    into: into('Variable for the text. Without it, the bot sends the text'),
    model: ModelChoice,
    onFail,
  }),
  answer: closed({
    ...card('answer', 'Answer from the knowledge'),
    textKey,
    question: about(
      'Question; by default the preview of the event',
      T.Optional(Template),
    ),
    knowledgeBases: about(
      "Knowledge bases to search; by default all of the document's",
      T.Optional(T.Array(Name)),
    ),
    tags: about(
      'Tags of the files to search, in place of knowledge bases; `{}` searches all files',
      T.Optional(dictionary(Template)),
    ),
    limit: about(
      'Maximum number of passages (5 by default)',
      T.Optional(T.Integer({ minimum: 1, maximum: 20 })),
    ),
    minScore: about(
      'Minimum score of a passage (0.35 by default); a minimum score of the knowledge base replaces it',
      T.Optional(T.Number({ minimum: 0, maximum: 1 })),
    ),
    instructions: about(
      'Further instructions, for example on tone',
      T.Optional(Template),
    ),
    groundingCheck: about(
      'Whether the model checks its answer with a second request, and the bot leaves out sentences that no ' +
        'cited passage supports (true by default)',
      T.Optional(T.Boolean()),
    ),
    sources: about(
      'Heading of the sources (`Sources:` or, without a model, `Source:` by default); an empty text ' +
        'omits them',
      T.Optional(Template),
    ),
    didYouMean: about(
      'Text above buttons for equally likely answers, without a model',
      T.Optional(Template),
    ),
    unknown: about('Message if the passages do not contain the answer', T.Optional(Say)),
    onUnknown: target(
      'Next node if the passages do not contain the answer. Without it, the next card runs',
    ),
    into: into(
      'Variable for `{ answer, citations }`, or null if unknown. Without it, the bot sends a message',
    ),
    model: ModelChoice,
    onFail,
  }),
  table: closed({
    ...card('table', 'Table'),
    table: about('Name of the table', Word),
    operation: about(
      'Operation',
      T.Enum(['find', 'get', 'create', 'update', 'upsert', 'delete']),
    ),
    id: about('Id of the row', T.Optional(TemplateJson)),
    row: about('Row, in the format of the Tables API', T.Optional(TemplateJson)),
    rows: about('Rows, in the format of the Tables API', T.Optional(TemplateJson)),
    filter: about('Filter, in the format of the Tables API', T.Optional(TemplateJson)),
    alike: about(
      'With `find`: texts by column that users typed. Rows fit in any capitals, codes without separators ' +
        '(`#A-1001` is `a1001`), and phone numbers in national and international form',
      T.Optional(dictionary(TemplateJson)),
    ),
    search: about('Words to search for', T.Optional(Template)),
    orderBy: about('Column to sort by', T.Optional(Template)),
    orderDirection: about('Sort direction', T.Optional(T.Enum(['asc', 'desc']))),
    limit: about(
      'Maximum number of rows',
      T.Optional(T.Integer({ minimum: 1, maximum: 1000 })),
    ),
    keyColumn: about('Column by which `upsert` finds rows', T.Optional(Template)),
    into: into('Variable for the result'),
  }),
  set: closed({
    ...card('set', 'Set a variable'),
    variable: about('Variable', VariablePath),
    value: about('Value', TemplateJson),
  }),
  tag: closed({
    ...card('tag', 'Tag'),
    of: about(
      'Object to tag; `message` is the message that the bot answers',
      T.Enum(['conversation', 'user', 'message']),
    ),
    tags: about('Tags', dictionary(Template)),
  }),
  log: closed({
    ...card('log', 'Log'),
    level: about(
      'Level (info by default)',
      T.Optional(T.Enum(['debug', 'info', 'warn', 'error'])),
    ),
    message: about('Text of the log line', Template),
  }),
  waitForEvent: closed({
    ...card('waitForEvent', 'Wait for an event'),
    event: about('Name of the event', T.String({ minLength: 1, maxLength: 200 })),
    when: about('Condition on the event', T.Optional(Expression)),
    into: into("Variable for the event's payload"),
    timeout: seconds('Seconds to wait'),
    onTimeout: target(
      'Next node after the timeout. Without it, the next card runs and the variable is null',
    ),
  }),
  handoff: closed({
    ...card('handoff', 'Hand over to a person'),
    textKey,
    message: about('Message that the bot sends before', T.Optional(Say)),
    reason: about('Why the bot cannot answer', T.Optional(Template)),
    summary: about('Information for the person', T.Optional(Template)),
    botReceives: about(
      'Messages and events of the conversation that the bot receives meanwhile (`nothing` by default)',
      T.Optional(T.Enum(['nothing', 'everything'])),
    ),
    into: into('Variable for the payload of `handoff_closed`, when the card continues'),
  }),
  inactivityTimeout: closed({
    ...card('inactivityTimeout', 'End when inactive'),
    seconds: about(
      'Seconds without an event after which this conversation ends; 0 disables the timeout',
      T.Integer({ minimum: 0, maximum: 2_592_000 }),
    ),
  }),
}

/** Fields with a node, in all cards. */
export const targetFields = [
  'to',
  'onCancel',
  'onFail',
  'onTimeout',
  'onUnknown',
  'otherwise',
]

export const Card = oneBy('type', cardShapes, 'One step of a node')
export type Card = Static<typeof Card>
export type CardType = keyof typeof cardShapes
export type CardByType<Type extends CardType> = Static<(typeof cardShapes)[Type]>
