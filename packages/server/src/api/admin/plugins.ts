import type { admin, Handlers, Plugin as ShownPlugin } from '@botstead/contract'
import { findPackage, findPackageByName } from '../../packages/heads.ts'
import { noPackage } from '../../packages/publishing.ts'
import type { Scope } from '../../packages/versions.ts'
import type { PluginDefinition } from '../../plugins/definition.ts'
import { findDependencies } from '../../plugins/dependencies.ts'
import { createPlugin, deletePlugin, dereferencePlugin, findPluginCode, type Plugin, updatePlugin } from '../../plugins/plugins.ts'
import type { AccountCaller, Context, Contexts, WorkspaceCaller } from '../../services.ts'
import { originOf } from '../origin.ts'
import { type PackageQuery, pageOfPackages, pluginHeadOf, within } from './packages.ts'

export const plugins: Handlers<(typeof admin)['plugins'], Contexts> = {
  async createPlugin(context, { body }) {
    const { services, caller } = context
    return services.db.transaction().execute(async (trx) => {
      const id = await createPlugin(trx, services.limits, caller.workspaceId, body)
      return show(within(context, trx), scopeOf(context), id)
    })
  },

  async listPlugins(context, { query }) {
    return list(context, scopeOf(context), query)
  },

  async getPlugin(context, { params }) {
    return show(context, scopeOf(context), params.id)
  },

  async updatePlugin(context, { params, body }) {
    const { services, caller } = context
    return services.db.transaction().execute(async (trx) => {
      await updatePlugin(trx, services.limits, caller.workspaceId, params.id, body)
      return show(within(context, trx), scopeOf(context), params.id)
    })
  },

  async deletePlugin({ services, caller }, { params }) {
    await services.db.transaction().execute((trx) => deletePlugin(trx, caller.workspaceId, params.id))
    return {}
  },

  async getDereferencedPlugin(context, { params, query }) {
    return dereferenced(context, scopeOf(context), params.id, query.interfaces)
  },

  async getPluginByName(context, { params }) {
    return showNamed(context, scopeOf(context), params)
  },

  async getPluginCode(context, { params }) {
    return { code: await findPluginCode(context.services.db, scopeOf(context), params.id, params.platform) }
  },

  async listPublicPlugins(context, { query }) {
    return list(context, 'hub', query)
  },

  async getPublicPluginById(context, { params }) {
    return show(context, 'hub', params.id)
  },

  async getDereferencedPublicPluginById(context, { params, query }) {
    return dereferenced(context, 'hub', params.id, query.interfaces)
  },

  async getPublicPlugin(context, { params }) {
    return showNamed(context, 'hub', params)
  },

  async getPublicPluginCode({ services }, { params }) {
    return { code: await findPluginCode(services.db, 'hub', params.id, params.platform) }
  },
}

const scopeOf = ({ caller }: Context<WorkspaceCaller>): Scope => ({ workspaceId: caller.workspaceId })

async function list(context: Context<AccountCaller>, scope: Scope, query: PackageQuery) {
  const { items, meta } = await pageOfPackages(context, 'plugin', scope, query)
  return { plugins: items.map((row) => pluginHeadOf(row, originOf(context))), meta }
}

async function show(context: Context<unknown>, scope: Scope, id: string) {
  return { plugin: await shown(context, await find(context, scope, id)) }
}

async function showNamed(context: Context<unknown>, scope: Scope, { name, version }: { name: string; version: string }) {
  const found = await findPackageByName<PluginDefinition>(context.services.db, 'plugin', scope, name, version)
  if (!found) throw noPackage('plugin', `${name}@${version}`)
  return { plugin: await shown(context, found) }
}

async function dereferenced(context: Context<unknown>, scope: Scope, id: string, interfaces: Record<string, string> = {}) {
  const found = await find(context, scope, id)
  return { plugin: await shown(context, { ...found, definition: await dereferencePlugin(context.services.db, scope, found, interfaces) }) }
}

async function find({ services }: Context<unknown>, scope: Scope, id: string): Promise<Plugin> {
  const found = await findPackage<PluginDefinition>(services.db, 'plugin', scope, id)
  if (!found) throw noPackage('plugin', id)
  return found
}

async function shown(context: Context<unknown>, row: Plugin): Promise<ShownPlugin> {
  const dependencies = (await findDependencies(context.services.db, [row.id])).get(row.id)!
  return { ...pluginHeadOf(row, originOf(context)), ...row.definition, dependencies }
}
