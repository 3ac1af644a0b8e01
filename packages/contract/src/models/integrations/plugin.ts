// A plugin adds tags, states, events, actions and code to a bot. The bot is compiled with the
// plugin's code.
import { type Static, Type as T } from 'typebox'
import { closed, dictionary, id, Json, nullable } from '../../fields.ts'
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
  NewState,
  NewTag,
  StateDefinition,
  TagDefinition,
  titled,
} from '../bots/bot-definition.ts'
import { LifecycleStatus, Visibility } from '../bots/installation.ts'
import { newPackage, packageChanges, packageHead } from './interface.ts'

const pluginHead = {
  id: id('plugver'),
  ...packageHead,
  visibility: Visibility,
  lifecycleStatus: LifecycleStatus,
}
/** @component */
export const PluginSummary = closed(pluginHead)
export type PluginSummary = Static<typeof PluginSummary>

const named = {
  name: T.String({ maxLength: 200 }),
  version: T.String({ maxLength: 200 }),
}
/** Interfaces and integrations that a plugin requires, under the plugin's names for them. @component */
export const PluginDependencies = closed({
  interfaces: dictionary(closed({ id: id('ifver'), ...named })),
  integrations: dictionary(closed({ id: id('intver'), ...named })),
})
export type PluginDependencies = Static<typeof PluginDependencies>

const configuration = { ...titled, schema: Json }
const tagged = closed({ tags: dictionary(TagDefinition) })

/** @component */
export const Plugin = closed({
  ...pluginHead,
  configuration: closed(configuration),
  states: dictionary(StateDefinition),
  events: dictionary(EventDefinition),
  actions: dictionary(ActionDefinition),
  dependencies: PluginDependencies,
  user: tagged,
  conversation: tagged,
  message: tagged,
  attributes: T.Optional(Attributes),
})
export type Plugin = Static<typeof Plugin>

/** A dependency by id, or by name and version. */
const Dependency = T.Object({
  id: T.Optional(T.String()),
  name: T.Optional(T.String()),
  version: T.Optional(T.String()),
})
const pluginChanges = { ...packageChanges, visibility: T.Optional(Visibility) }
const newTags = T.Optional(T.Object({ tags: dictionary(NewTag) }))
const tagChanges = T.Optional(T.Object({ tags: changes(NewTag) }))

export const NewPlugin = T.Object({
  ...newPackage,
  ...pluginChanges,
  configuration: T.Optional(T.Object(configuration)),
  states: T.Optional(dictionary(NewState)),
  events: T.Optional(dictionary(NewEvent)),
  actions: T.Optional(dictionary(NewAction)),
  user: newTags,
  conversation: newTags,
  message: newTags,
  attributes: T.Optional(Attributes),
  code: T.Object({ node: T.String(), browser: T.String() }),
  dependencies: T.Optional(
    T.Object({
      interfaces: T.Optional(dictionary(Dependency)),
      integrations: T.Optional(dictionary(Dependency)),
    }),
  ),
})
export type NewPlugin = Static<typeof NewPlugin>

export const PluginChange = T.Object({
  ...pluginChanges,
  configuration: T.Optional(nullable(T.Object(configuration))),
  states: T.Optional(changes(NewState)),
  events: T.Optional(changes(EventChange)),
  actions: T.Optional(changes(ActionChange)),
  user: tagChanges,
  conversation: tagChanges,
  message: tagChanges,
  attributes: T.Optional(AttributeChanges),
  code: T.Optional(
    T.Object({ node: T.Optional(T.String()), browser: T.Optional(T.String()) }),
  ),
  dependencies: T.Optional(
    T.Object({
      interfaces: T.Optional(changes(Dependency)),
      integrations: T.Optional(changes(Dependency)),
    }),
  ),
})
export type PluginChange = Static<typeof PluginChange>
