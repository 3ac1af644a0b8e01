// The definitions of a bot: its tags, states, events and actions. Requests and responses share
// these schemas.
import { type Static, Type as T } from 'typebox'
import { closed, dictionary, Json, nullable } from '../../fields.ts'

export const titled = {
  title: T.Optional(T.String({ maxLength: 64 })),
  description: T.Optional(T.String({ maxLength: 256 })),
}
export const Attributes = dictionary(T.String({ maxLength: 200 }))
export const AttributeChanges = dictionary(nullable(T.String({ maxLength: 200 })))
export const schema = { schema: Json }

/** A tag definition in a request. The server ignores unknown properties. */
export const NewTag = T.Object(titled)

/** @component */
export const TagDefinition = closed(titled)
export type TagDefinition = Static<typeof TagDefinition>

const state = {
  type: T.Enum(['conversation', 'user', 'bot']),
  schema: Json,
  expiry: T.Optional(T.Number({ minimum: 1 })),
}
/** @component */
export const StateDefinition = closed(state)
export type StateDefinition = Static<typeof StateDefinition>
export const NewState = T.Object(state)

export const event = { ...titled, schema: Json }
/** @component */
export const EventDefinition = closed({ ...event, attributes: T.Optional(Attributes) })
export type EventDefinition = Static<typeof EventDefinition>
export const NewEvent = T.Object({ ...event, attributes: T.Optional(Attributes) })
export const EventChange = T.Object({
  ...event,
  attributes: T.Optional(AttributeChanges),
})

const recurringEvent = {
  schedule: closed({ cron: T.String({ maxLength: 200 }) }),
  type: T.String({ maxLength: 200 }),
  payload: Json,
}
/** @component */
export const RecurringEvent = closed({
  ...recurringEvent,
  failedAttempts: T.Integer(),
  lastFailureReason: nullable(T.String({ maxLength: 2000 })),
})
export type RecurringEvent = Static<typeof RecurringEvent>

export const action = {
  ...titled,
  billable: T.Optional(T.Boolean()),
  cacheable: T.Optional(T.Boolean()),
}
/** @component */
export const ActionDefinition = closed({
  ...action,
  input: closed(schema),
  output: closed(schema),
  attributes: T.Optional(Attributes),
})
export type ActionDefinition = Static<typeof ActionDefinition>
const newAction = { ...action, input: T.Object(schema), output: T.Object(schema) }
export const NewAction = T.Object({ ...newAction, attributes: T.Optional(Attributes) })
export const ActionChange = T.Object({
  ...newAction,
  attributes: T.Optional(AttributeChanges),
})

export const Media = closed({ url: T.String(), name: T.String() })

/** Describes changes to a map: sets the given entries; null removes an entry. All others stay. */
export const changes = <S extends Parameters<typeof nullable>[0]>(value: S) =>
  dictionary(nullable(value))

/**
 * Properties that createBot and updateBot share. Deployments send further properties, so unknown
 * ones are accepted at every level. The definitions are merged: see `changes`.
 */
export const definitionChanges = {
  name: T.Optional(T.String({ minLength: 1 })),
  description: T.Optional(T.String({ maxLength: 2000 })),
  code: T.Optional(T.String()),
  tags: T.Optional(dictionary(T.String({ maxLength: 500 }))),
  medias: T.Optional(T.Array(T.Object({ url: T.String(), name: T.String() }))),
  configuration: T.Optional(
    T.Object({ data: T.Optional(Json), schema: T.Optional(Json) }),
  ),
  user: T.Optional(T.Object({ tags: T.Optional(changes(NewTag)) })),
  conversation: T.Optional(T.Object({ tags: T.Optional(changes(NewTag)) })),
  message: T.Optional(T.Object({ tags: T.Optional(changes(NewTag)) })),
  states: T.Optional(changes(NewState)),
  events: T.Optional(changes(EventChange)),
  recurringEvents: T.Optional(changes(T.Object(recurringEvent))),
  actions: T.Optional(changes(ActionChange)),
  subscriptions: T.Optional(T.Object({ events: nullable(changes(Json)) })),
  secrets: T.Optional(dictionary(nullable(T.String({ maxLength: 20_000 })))),
  /** Seconds. */
  maxExecutionTime: T.Optional(T.Integer({ minimum: 1, maximum: 86_400 })),
}
