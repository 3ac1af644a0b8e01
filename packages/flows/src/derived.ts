// What the engine needs the server to know of a bot made of flows: where it keeps what, and when it is to be woken. It is worked out of the document
// at each publishing, and is in no document that goes out.
import type { BotDocument } from '@botstead/contract'
import type { FlowDocument, Variable } from './document.ts'

/** Names that only the engine gives. */
export const reservedPrefix = 'flows.'

/** The states that the engine keeps. */
export const stateNames = {
  /** Where the conversation is, its variables, and which events have been handled. */
  conversation: `${reservedPrefix}conversation`,
  /** Is there for as long as the conversation is not silent for too long: its end is told to the bot. */
  activity: `${reservedPrefix}activity`,
  user: `${reservedPrefix}user`,
  bot: `${reservedPrefix}bot`,
}

/** The event type of a scheduled trigger's tick. */
export const scheduleType = (trigger: string) => `${reservedPrefix}schedule.${trigger}`

/** What happens when a time that the engine has set is up. */
export const wakeType = `${reservedPrefix}wake`

type Derived = Required<
  Pick<
    BotDocument,
    'states' | 'recurringEvents' | 'actions' | 'configuration' | 'conversation' | 'user' | 'message'
  >
>

/** Laid over what the document declares itself. */
export function derive(document: FlowDocument, configured: Record<string, unknown>): Derived {
  return {
    states: { ...document.states, ...states },
    recurringEvents: { ...document.recurringEvents, ...schedules(document) },
    actions: Object.fromEntries(
      Object.entries(document.actions ?? {}).map(([name, { code: _code, ...declared }]) => [name, declared]),
    ),
    configuration: {
      schema: configurationSchema(document),
      data: document.configuration?.data ?? configured,
    },
    ...tagDefinitions(document),
  }
}

const any = { type: 'object', additionalProperties: true }
const states: Derived['states'] = {
  [stateNames.conversation]: { type: 'conversation', schema: any },
  [stateNames.activity]: { type: 'conversation', schema: any },
  [stateNames.user]: { type: 'user', schema: any },
  [stateNames.bot]: { type: 'bot', schema: any },
}

const schedules = ({ triggers = {} }: FlowDocument): Derived['recurringEvents'] =>
  Object.fromEntries(
    Object.entries(triggers).flatMap(([name, trigger]) =>
      trigger.type === 'schedule'
        ? [
            [
              scheduleType(name),
              { type: scheduleType(name), schedule: { cron: trigger.cron }, payload: trigger.payload ?? {} },
            ],
          ]
        : [],
    ),
  )

const jsonTypes: Record<Variable['type'], object> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object', additionalProperties: true },
  array: { type: 'array' },
  date: { type: 'string', format: 'date-time' },
  any: {},
}

/** `x-zui.secret` is what keeps a value out of documents. */
function configurationSchema({ configuration, variables }: FlowDocument): Record<string, unknown> {
  const declared = Object.entries(variables?.configuration ?? {}).map(
    ([name, { type, secret, description }]) => [
      name,
      {
        ...jsonTypes[type],
        ...(description && { description }),
        ...(secret && { 'x-zui': { secret: true } }),
      },
    ],
  )
  const schema: Record<string, unknown> = configuration?.schema ?? { type: 'object', properties: {} }
  if (declared.length === 0) return schema
  return {
    type: 'object',
    ...schema,
    properties: { ...(schema.properties as object | undefined), ...Object.fromEntries(declared) },
  }
}

/** A tag that a card gives is declared by that. */
function tagDefinitions(document: FlowDocument): Pick<Derived, 'conversation' | 'user' | 'message'> {
  const found = { conversation: new Set<string>(), user: new Set<string>(), message: new Set<string>() }
  for (const { nodes } of Object.values(document.flows))
    for (const card of Object.values(nodes).flatMap(({ cards = [] }) => cards)) {
      const of = card.type === 'tag' ? card.of : card.type === 'send' ? 'message' : null
      if (of) for (const name of Object.keys(('tags' in card && card.tags) || {})) found[of].add(name)
    }
  const declared = (of: keyof typeof found) => ({
    tags: {
      ...Object.fromEntries([...found[of]].filter((name) => !name.includes(':')).map((name) => [name, {}])),
      ...document[of]?.tags,
    },
  })
  return { conversation: declared('conversation'), user: declared('user'), message: declared('message') }
}

/** What of a bot's states and recurring events its document has. */
export const withoutDerived = <T>(all: Record<string, T> | undefined): Record<string, T> =>
  Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => !name.startsWith(reservedPrefix)))
