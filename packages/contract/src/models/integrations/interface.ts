// An interface names entities, actions, events and channels that integrations implement and plugins
// require.
import { type Static, Type as T } from 'typebox'
import { closed, dictionary, id, Json, nullable, Timestamp } from '../../fields.ts'
import {
  ActionChange,
  ActionDefinition,
  AttributeChanges,
  Attributes,
  changes,
  EventChange,
  EventDefinition,
  NewAction,
  NewEvent,
  titled,
} from '../bots/bot-definition.ts'
import { EntityDefinition } from './integration-definition.ts'

const NewEntity = T.Object({ ...titled, schema: Json })

const message = { schema: Json }
/** @component */
export const InterfaceChannel = closed({
  ...titled,
  messages: dictionary(closed(message)),
})
export type InterfaceChannel = Static<typeof InterfaceChannel>

const nameTemplate = {
  script: T.String({ maxLength: 2000 }),
  language: T.String({ maxLength: 200 }),
}

/** Presentation of a version of a package. */
export const packageHead = {
  createdAt: Timestamp,
  updatedAt: Timestamp,
  name: T.String({ maxLength: 200 }),
  version: T.String({ maxLength: 200 }),
  title: T.String({ minLength: 1, maxLength: 64 }),
  description: T.String({ maxLength: 256 }),
  iconUrl: T.String(),
  readmeUrl: T.String(),
  public: T.Boolean(),
}

const interfaceHead = { id: id('ifver'), ...packageHead }
/** @component */
export const InterfaceSummary = closed(interfaceHead)
export type InterfaceSummary = Static<typeof InterfaceSummary>

/** @component */
export const Interface = closed({
  ...interfaceHead,
  entities: dictionary(EntityDefinition),
  events: dictionary(EventDefinition),
  actions: dictionary(ActionDefinition),
  channels: dictionary(InterfaceChannel),
  nameTemplate: T.Optional(closed(nameTemplate)),
  attributes: T.Optional(Attributes),
})
export type Interface = Static<typeof Interface>

/** Identity of a new version of a package. */
export const newPackage = {
  name: T.String({ maxLength: 200 }),
  version: T.String({ maxLength: 200 }),
}

/**
 * Properties of a package that can be set at creation and changed later. `icon` and `readme` are
 * base64.
 */
export const packageChanges = {
  sdkVersion: T.Optional(T.String({ maxLength: 200 })),
  icon: T.Optional(T.String()),
  readme: T.Optional(T.String()),
  title: T.Optional(T.String({ minLength: 1, maxLength: 64 })),
  description: T.Optional(T.String({ maxLength: 256 })),
  public: T.Optional(T.Boolean()),
}

export const NewInterface = T.Object({
  ...newPackage,
  ...packageChanges,
  entities: T.Optional(dictionary(NewEntity)),
  events: T.Optional(dictionary(NewEvent)),
  actions: T.Optional(dictionary(NewAction)),
  channels: T.Optional(
    dictionary(T.Object({ ...titled, messages: dictionary(T.Object(message)) })),
  ),
  nameTemplate: T.Optional(T.Object(nameTemplate)),
  attributes: T.Optional(Attributes),
})
export type NewInterface = Static<typeof NewInterface>

export const InterfaceChange = T.Object({
  ...packageChanges,
  entities: T.Optional(changes(NewEntity)),
  events: T.Optional(changes(EventChange)),
  actions: T.Optional(changes(ActionChange)),
  channels: T.Optional(
    changes(T.Object({ ...titled, messages: T.Optional(changes(T.Object(message))) })),
  ),
  nameTemplate: T.Optional(nullable(T.Object(nameTemplate))),
  attributes: T.Optional(AttributeChanges),
})
export type InterfaceChange = Static<typeof InterfaceChange>
