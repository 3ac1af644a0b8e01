import { Type as T } from 'typebox'
import { byId, closed, Done, dictionary, Meta, paging } from '../fields.ts'
import {
  NewPlugin,
  Plugin,
  PluginChange,
  PluginSummary,
} from '../models/integrations/plugin.ts'
import { operation } from '../operation.ts'

const response = closed({ plugin: Plugin })
const list = closed({ plugins: T.Array(PluginSummary), meta: Meta })
const byName = T.Object({ name: T.String(), version: T.String() })
const listing = T.Object({
  ...paging,
  name: T.Optional(T.String()),
  version: T.Optional(T.String()),
})
const byPlatform = T.Object({ id: T.String(), platform: T.Enum(['node', 'browser']) })
const code = closed({ code: T.String() })
/**
 * `interfaces.<the plugin's name for the interface>=<id of the integration that implements it>`.
 */
const interfaceQuery = T.Object({ interfaces: T.Optional(dictionary(T.String())) })

/** `{version}` is an exact version, a range (its highest version) or `latest`. */
export const plugins = {
  createPlugin: operation({
    method: 'POST',
    path: '/v1/admin/plugins',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Publish a version of a plugin',
    description: "Bots are compiled with the plugin's code.",
    body: NewPlugin,
    response,
    errors: [
      'Forbidden',
      'AlreadyExists',
      'InvalidIdentifier',
      'InvalidJsonSchema',
      'ReferenceNotFound',
      'LimitExceeded',
    ],
  }),
  listPlugins: operation({
    method: 'GET',
    path: '/v1/admin/plugins',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'List the plugins of a workspace, newest first',
    query: listing,
    response: list,
    errors: ['InvalidQuery'],
  }),
  getPlugin: operation({
    method: 'GET',
    path: '/v1/admin/plugins/{id}',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Get a plugin of the workspace',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  updatePlugin: operation({
    method: 'PUT',
    path: '/v1/admin/plugins/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Update a version of a plugin',
    description:
      'Sets the given properties; null removes a property. All others stay unchanged.',
    params: byId,
    body: PluginChange,
    response,
    errors: [
      'ResourceNotFound',
      'Forbidden',
      'BreakingChanges',
      'InvalidIdentifier',
      'InvalidJsonSchema',
      'ReferenceNotFound',
      'LimitExceeded',
    ],
  }),
  deletePlugin: operation({
    method: 'DELETE',
    path: '/v1/admin/plugins/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Delete a version of a plugin',
    description: 'No bot may have it installed.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden', 'ReferenceConstraint'],
  }),
  getDereferencedPlugin: operation({
    method: 'GET',
    path: '/v1/admin/plugins/{id}/dereferenced',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Get a plugin with its references resolved',
    description: 'Replaces references by the entities of the given integrations.',
    params: byId,
    query: interfaceQuery,
    response,
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'InvalidJsonSchema'],
  }),
  getPluginByName: operation({
    method: 'GET',
    path: '/v1/admin/plugins/{name}/{version}',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Get a plugin by name and version',
    params: byName,
    response,
    errors: ['ResourceNotFound'],
  }),
  getPluginCode: operation({
    method: 'GET',
    path: '/v1/admin/plugins/{id}/code/{platform}',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Get the code of a plugin',
    params: byPlatform,
    response: code,
    errors: ['ResourceNotFound'],
  }),
  listPublicPlugins: operation({
    method: 'GET',
    path: '/v1/admin/hub/plugins',
    access: 'account',
    summary: 'List public plugins, newest first',
    query: listing,
    response: list,
    errors: ['InvalidQuery'],
  }),
  getPublicPluginById: operation({
    method: 'GET',
    path: '/v1/admin/hub/plugins/{id}',
    access: 'account',
    summary: 'Get a public or unlisted plugin',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  getDereferencedPublicPluginById: operation({
    method: 'GET',
    path: '/v1/admin/hub/plugins/{id}/dereferenced',
    access: 'account',
    summary: 'Get a public plugin with its references resolved',
    description:
      'Replaces references by the entities of the given integrations. The plugin may be unlisted.',
    params: byId,
    query: interfaceQuery,
    response,
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'InvalidJsonSchema'],
  }),
  getPublicPlugin: operation({
    method: 'GET',
    path: '/v1/admin/hub/plugins/{name}/{version}',
    access: 'account',
    summary: 'Get a public plugin by name and version',
    description: 'The plugin may be unlisted.',
    params: byName,
    response,
    errors: ['ResourceNotFound'],
  }),
  getPublicPluginCode: operation({
    method: 'GET',
    path: '/v1/admin/hub/plugins/{id}/code/{platform}',
    access: 'account',
    summary: 'Get the code of a public plugin',
    description: 'The plugin may be unlisted.',
    params: byPlatform,
    response: code,
    errors: ['ResourceNotFound'],
  }),
}
