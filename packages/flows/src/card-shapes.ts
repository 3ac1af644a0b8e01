// What a node does: its cards, one after another.
import { closed, mapOf } from '@botstead/contract'
import { type Static, Type as T } from 'typebox'
import {
  Code,
  Expression,
  Name,
  oneBy,
  Place,
  Target,
  Template,
  TemplateJson,
  Word,
  where,
} from './shapes.ts'

/** What a message of each type cannot do without. Whatever else it carries goes along, and integrations have types of their own. */
export const messageNeeds: Record<string, string[]> = {
  text: ['text'],
  markdown: ['markdown'],
  image: ['imageUrl'],
  audio: ['audioUrl'],
  video: ['videoUrl'],
  file: ['fileUrl'],
  location: ['latitude', 'longitude'],
  card: ['title', 'actions'],
  carousel: ['items'],
  choice: ['text', 'options'],
  dropdown: ['text', 'options'],
  bloc: ['items'],
}

/** As a chat shows it: `type`, and beside it what the message consists of. */
export const MessageTemplate = T.Unsafe<{ type: string; [field: string]: unknown }>({
  description:
    'A message: its type, and beside it what it consists of; {{ }} in its texts holds a JavaScript expression',
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', minLength: 1, maxLength: 200, examples: Object.keys(messageNeeds) } },
  allOf: Object.entries(messageNeeds).map(([type, required]) => where('type', type, { required })),
})
export type MessageTemplate = Static<typeof MessageTemplate>

/** A message, or the text of one. */
const Say = T.Union([Template, MessageTemplate])

const card = <Type extends string>(type: Type) => ({
  type: T.Literal(type),
  name: T.Optional(T.String({ maxLength: 200 })),
})

/** How long to wait, in seconds. */
const Seconds = T.Integer({ minimum: 1, maximum: 2_592_000 })

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

export const CaptureCard = closed({
  ...card('capture'),
  kind: T.Enum([...captureKinds]),
  question: T.Optional(Say),
  /** Where the answer goes. */
  into: Place,
  /** Of a choice: what there is to choose from, or an expression in `{{ }}` that gives it. */
  options: T.Optional(
    T.Union([
      Template,
      T.Array(closed({ label: Template, value: Template, synonyms: T.Optional(T.Array(Template)) }), {
        maxItems: 1000,
      }),
    ]),
  ),
  /** Of a regex. */
  pattern: T.Optional(T.String({ minLength: 1, maxLength: 1000 })),
  /** Of a number, a date, the length of a text, or the number of choices. */
  min: T.Optional(T.Union([T.Number(), Template])),
  max: T.Optional(T.Union([T.Number(), Template])),
  /** An expression over `value` that must hold. */
  validate: T.Optional(Expression),
  /** What is said when an answer does not do. */
  retryMessage: T.Optional(Say),
  retries: T.Optional(T.Integer({ minimum: 0, maximum: 100 })),
  cancelWords: T.Optional(T.Array(T.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })),
  /** Where to go on when the user gives up, when no answer would do, when none came in time. Without: with the next card, the variable is null. */
  onCancel: T.Optional(Target),
  onFail: T.Optional(Target),
  timeout: T.Optional(Seconds),
  onTimeout: T.Optional(Target),
})
export type CaptureCard = Static<typeof CaptureCard>

export const cardShapes = {
  send: closed({
    ...card('send'),
    message: Say,
    tags: T.Optional(mapOf(Template)),
    conversationId: T.Optional(Template),
  }),
  capture: CaptureCard,
  /** Goes there when the expression holds. */
  transition: closed({ ...card('transition'), when: Expression, to: Target }),
  goTo: closed({ ...card('goTo'), to: Target }),
  callFlow: closed({
    ...card('callFlow'),
    flow: Name,
    inputs: T.Optional(mapOf(TemplateJson)),
    outputs: T.Optional(mapOf(Place)),
  }),
  code: closed({ ...card('code'), code: Code }),
  /** One of the bot's own by its name, or an integration's as `integration:action`. */
  callAction: closed({
    ...card('callAction'),
    action: T.String({ minLength: 1, maxLength: 200 }),
    input: T.Optional(TemplateJson),
    into: T.Optional(Place),
  }),
  queryKnowledge: closed({
    ...card('queryKnowledge'),
    query: T.Optional(Template),
    /** All that the document names, unless said. */
    knowledgeBases: T.Optional(T.Array(Name)),
    limit: T.Optional(T.Integer({ minimum: 1, maximum: 50 })),
    into: T.Optional(Place),
  }),
  /** `filter`, `rows`, `row` and `id` as the Tables API takes them. */
  table: closed({
    ...card('table'),
    table: Word,
    operation: T.Enum(['find', 'get', 'create', 'update', 'upsert', 'delete']),
    id: T.Optional(TemplateJson),
    row: T.Optional(TemplateJson),
    rows: T.Optional(TemplateJson),
    filter: T.Optional(TemplateJson),
    search: T.Optional(Template),
    orderBy: T.Optional(Template),
    orderDirection: T.Optional(T.Enum(['asc', 'desc'])),
    limit: T.Optional(T.Integer({ minimum: 1, maximum: 1000 })),
    keyColumn: T.Optional(Template),
    into: T.Optional(Place),
  }),
  set: closed({ ...card('set'), variable: Place, value: TemplateJson }),
  /** Of the message, the one that is being answered. */
  tag: closed({ ...card('tag'), of: T.Enum(['conversation', 'user', 'message']), tags: mapOf(Template) }),
  log: closed({
    ...card('log'),
    level: T.Optional(T.Enum(['debug', 'info', 'warn', 'error'])),
    message: Template,
  }),
  waitForEvent: closed({
    ...card('waitForEvent'),
    event: T.String({ minLength: 1, maxLength: 200 }),
    /** Only one for which this holds. */
    when: T.Optional(Expression),
    /** Where its payload goes. */
    into: T.Optional(Place),
    timeout: T.Optional(Seconds),
    onTimeout: T.Optional(Target),
  }),
  /** From now on in this conversation; 0 is never. */
  inactivityTimeout: closed({
    ...card('inactivityTimeout'),
    seconds: T.Integer({ minimum: 0, maximum: 2_592_000 }),
  }),
}

export const Card = oneBy('type', cardShapes, 'One thing that a node does')
export type Card = Static<typeof Card>
export type CardType = keyof typeof cardShapes
export type CardOf<Type extends CardType> = Static<(typeof cardShapes)[Type]>
