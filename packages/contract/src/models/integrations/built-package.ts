// Built packages, as bundles move them between installations: complete, without ids of a server and
// without values of secrets. Interfaces are named by name and version.
import { type Static, Type as T } from 'typebox'
import { closed, dictionary } from '../../fields.ts'
import { AttributeChanges } from '../bots/bot-definition.ts'
import {
  InterfaceImplementation,
  integrationChanges,
  integrationDefinition,
} from './integration-definition.ts'
import { Interface, NewInterface } from './interface.ts'

const version = {
  name: T.String({ maxLength: 200 }),
  version: T.String({ maxLength: 200 }),
}
/** `icon` and `readme` are base64, empty for none. */
const presentation = {
  ...version,
  title: T.Optional(T.String({ minLength: 1, maxLength: 64 })),
  description: T.String({ maxLength: 256 }),
  icon: T.String(),
  readme: T.String(),
}

const { id: _interfaceId, ...implementation } = InterfaceImplementation.properties
const { entities, events, actions, channels, nameTemplate, attributes } =
  Interface.properties

/** @component */
export const BuiltInterface = closed({
  ...presentation,
  entities,
  events,
  actions,
  channels,
  nameTemplate,
  attributes,
})
export type BuiltInterface = Static<typeof BuiltInterface>

/** @component */
export const BuiltIntegration = closed({
  ...presentation,
  ...integrationDefinition,
  interfaces: dictionary(closed(implementation)),
  extraOperations: dictionary(closed({ enabled: T.Boolean() })),
  layers: T.Array(T.String()),
  sdkVersion: T.Optional(T.String({ maxLength: 200 })),
  /** In seconds. */
  maxExecutionTime: T.Optional(T.Number()),
  /** Names of the secrets that it has here. */
  secretNames: T.Array(T.String()),
})
export type BuiltIntegration = Static<typeof BuiltIntegration>

const renamed = T.Optional(dictionary(T.Object({ name: T.String({ maxLength: 200 }) })))
const {
  public: _public,
  visibility: _visibility,
  attributes: _attributes,
  ...fields
} = integrationChanges

/** A built integration in a request. Deployments of the SDK send further properties, which are ignored. */
export const NewBuiltIntegration = T.Object({
  ...fields,
  ...version,
  attributes: T.Optional(AttributeChanges),
  interfaces: T.Optional(
    dictionary(
      T.Object({
        ...version,
        entities: renamed,
        actions: renamed,
        events: renamed,
        channels: renamed,
      }),
    ),
  ),
  code: T.String({ minLength: 1 }),
  /** In seconds. */
  maxExecutionTime: T.Optional(T.Integer()),
})
export type NewBuiltIntegration = Static<typeof NewBuiltIntegration>

const { public: _isPublic, ...interfaceFields } = NewInterface.properties
export const NewBuiltInterface = T.Object(interfaceFields)
export type NewBuiltInterface = Static<typeof NewBuiltInterface>
