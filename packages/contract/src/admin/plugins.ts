import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, mapOf, paging } from '../fields.ts'
import { NewPlugin, Plugin, PluginChange, PluginSummary } from '../models/plugin.ts'
import { operation } from '../operation.ts'

const answer = closed({ plugin: Plugin })
const list = closed({ plugins: T.Array(PluginSummary), meta: Meta })
const byName = T.Object({ name: T.String(), version: T.String() })
const listing = T.Object({ ...paging, name: T.Optional(T.String()), version: T.Optional(T.String()) })
const byPlatform = T.Object({ id: T.String(), platform: T.Enum(['node', 'browser']) })
const code = closed({ code: T.String() })
/** `interfaces.<name in the plugin>=<id of the integration that it works through>`. */
const backings = T.Object({ interfaces: T.Optional(mapOf(T.String())) })

/** `{version}`: one exactly, a range of which the highest counts, or `latest`. */
export const plugins = {
  createPlugin: operation({
    method: 'POST',
    path: '/v1/admin/plugins',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Publish a version of a plugin, with the code that bots are compiled with',
    body: NewPlugin,
    response: answer,
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
    summary: 'Look up a plugin of the workspace',
    params: byId,
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  updatePlugin: operation({
    method: 'PUT',
    path: '/v1/admin/plugins/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Change a version of a plugin: what is given is set, null removes, the rest stays',
    params: byId,
    body: PluginChange,
    response: answer,
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
    summary: 'Delete a version of a plugin that no bot has installed',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden', 'ReferenceConstraint'],
  }),
  getDereferencedPlugin: operation({
    method: 'GET',
    path: '/v1/admin/plugins/{id}/dereferenced',
    access: 'workspace',
    permission: 'packages.read',
    summary:
      'Look up a plugin as it is when it works through these integrations: with their entities in place of references',
    params: byId,
    query: backings,
    response: answer,
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'InvalidJsonSchema'],
  }),
  getPluginByName: operation({
    method: 'GET',
    path: '/v1/admin/plugins/{name}/{version}',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Look up a plugin of the workspace by its name and version',
    params: byName,
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  getPluginCode: operation({
    method: 'GET',
    path: '/v1/admin/plugins/{id}/code/{platform}',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Read the code of a plugin of the workspace',
    params: byPlatform,
    response: code,
    errors: ['ResourceNotFound'],
  }),
  listPublicPlugins: operation({
    method: 'GET',
    path: '/v1/admin/hub/plugins',
    access: 'account',
    summary: 'List the plugins that workspaces of this server have made public, newest first',
    query: listing,
    response: list,
    errors: ['InvalidQuery'],
  }),
  getPublicPluginById: operation({
    method: 'GET',
    path: '/v1/admin/hub/plugins/{id}',
    access: 'account',
    summary: 'Look up a plugin that is not private',
    params: byId,
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  getDereferencedPublicPluginById: operation({
    method: 'GET',
    path: '/v1/admin/hub/plugins/{id}/dereferenced',
    access: 'account',
    summary: 'Look up a plugin that is not private as it is when it works through these integrations',
    params: byId,
    query: backings,
    response: answer,
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'InvalidJsonSchema'],
  }),
  getPublicPlugin: operation({
    method: 'GET',
    path: '/v1/admin/hub/plugins/{name}/{version}',
    access: 'account',
    summary: 'Look up a plugin that is not private by its name and version',
    params: byName,
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  getPublicPluginCode: operation({
    method: 'GET',
    path: '/v1/admin/hub/plugins/{id}/code/{platform}',
    access: 'account',
    summary: 'Read the code of a plugin that is not private',
    params: byPlatform,
    response: code,
    errors: ['ResourceNotFound'],
  }),
}
