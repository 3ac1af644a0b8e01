// Derives the definitions that the server needs for a bot with flows: states, schedules, actions,
// configuration and tags. Runs at each publishing. Exported documents do not contain these
// definitions.
import type { BotDocument } from '@botstead/contract'
import { jsonTypes, toolActions } from '../engine/tools.ts'
import { reservedPrefix } from './built-in-flows.ts'
import type { FlowDocument } from './document.ts'

/** States of the engine. */
export const stateNames = {
  /** Position, variables and handled events of a conversation. */
  conversation: `${reservedPrefix}conversation`,
  /** Expires after the inactivity timeout; the server then sends `state_expired` to the bot. */
  activity: `${reservedPrefix}activity`,
  user: `${reservedPrefix}user`,
  bot: `${reservedPrefix}bot`,
}

/** Returns the event type of a schedule trigger. */
export const scheduleType = (trigger: string) => `${reservedPrefix}schedule.${trigger}`

/** Event type that ends the timeout of a waiting card. */
export const wakeType = `${reservedPrefix}wake`

type Derived = Required<
  Pick<
    BotDocument,
    | 'states'
    | 'recurringEvents'
    | 'actions'
    | 'configuration'
    | 'conversation'
    | 'user'
    | 'message'
  >
>

/** Returns the definitions, merged with those of the document. */
export function derive(
  document: FlowDocument,
  configured: Record<string, unknown>,
): Derived {
  return {
    states: { ...document.states, ...states },
    recurringEvents: { ...document.recurringEvents, ...schedules(document) },
    actions: {
      ...Object.fromEntries(
        Object.entries(document.actions ?? {}).map(
          ([name, { code: _code, ...declared }]) => [name, declared],
        ),
      ),
      ...toolActions(document),
    },
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
              {
                type: scheduleType(name),
                schedule: { cron: trigger.cron },
                payload: trigger.payload ?? {},
              },
            ],
          ]
        : [],
    ),
  )

/**
 * Returns the configuration schema, with the defaults that forms show. `x-zui.secret` keeps a value out of
 * exported documents.
 */
function configurationSchema({
  configuration,
  variables,
}: FlowDocument): Record<string, unknown> {
  const declared = Object.entries(variables?.configuration ?? {}).map(
    ([name, { type, secret, description, default: value }]) => [
      name,
      {
        ...jsonTypes[type],
        ...(description && { description }),
        ...(value !== undefined && !secret && { default: value }),
        ...(secret && { 'x-zui': { secret: true } }),
      },
    ],
  )
  const schema: Record<string, unknown> = configuration?.schema ?? {
    type: 'object',
    properties: {},
  }
  if (declared.length === 0) return schema
  return {
    type: 'object',
    ...schema,
    properties: {
      ...(schema.properties as object | undefined),
      ...Object.fromEntries(declared),
    },
  }
}

/** Declares the tags that cards set. */
function tagDefinitions(
  document: FlowDocument,
): Pick<Derived, 'conversation' | 'user' | 'message'> {
  const found = {
    conversation: new Set<string>(),
    user: new Set<string>(),
    message: new Set<string>(),
  }
  for (const { nodes } of Object.values(document.flows))
    for (const card of Object.values(nodes).flatMap(({ cards = [] }) => cards)) {
      const ofSent = card.type === 'send' ? 'message' : null
      const of = card.type === 'tag' ? card.of : ofSent
      if (of)
        for (const name of Object.keys(('tags' in card && card.tags) || {}))
          found[of].add(name)
    }
  const declared = (of: keyof typeof found) => ({
    tags: {
      ...Object.fromEntries(
        [...found[of]].filter((name) => !name.includes(':')).map((name) => [name, {}]),
      ),
      ...document[of]?.tags,
    },
  })
  return {
    conversation: declared('conversation'),
    user: declared('user'),
    message: declared('message'),
  }
}

/** Removes derived states, recurring events or actions, which documents do not contain. */
export const withoutDerived = <T>(
  all: Record<string, T> | undefined,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(all ?? {}).filter(([name]) => !name.startsWith(reservedPrefix)),
  )
