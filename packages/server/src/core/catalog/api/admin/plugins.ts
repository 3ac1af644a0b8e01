import type { admin, Handlers, Plugin as ShownPlugin } from '@botstead/contract'
import { type Context, type Contexts, getOrigin } from '../../../http/index.ts'
import type { Scope } from '../../packages/versions.ts'
import { findDependencies } from '../../plugins/dependencies.ts'
import {
  createPlugin,
  deletePlugin,
  dereferencePlugin,
  findPluginCode,
  type Plugin,
  updatePlugin,
} from '../../plugins/plugins.ts'
import { packageHandlers, toPluginHead, toScope } from './packages.ts'

const { create, update, remove, find, show, showNamed, list } = packageHandlers({
  table: 'plugin',
  create: createPlugin,
  update: updatePlugin,
  remove: deletePlugin,
  serialize: shown,
  serializeSummary: toPluginHead,
})

export const plugins: Handlers<(typeof admin)['plugins'], Contexts> = {
  createPlugin: (context, { body }) => create(context, body),
  listPlugins: async (context, { query }) =>
    listed(await list(context, toScope(context), query)),
  getPlugin: (context, { params }) => show(context, toScope(context), params.id),
  updatePlugin: (context, { params, body }) => update(context, params.id, body),
  deletePlugin: (context, { params }) => remove(context, params.id),
  getDereferencedPlugin: (context, { params, query }) =>
    dereferenced(context, toScope(context), params.id, query.interfaces),
  getPluginByName: (context, { params }) => showNamed(context, toScope(context), params),
  getPluginCode: (context, { params }) => findCode(context, toScope(context), params),
  listPublicPlugins: async (context, { query }) =>
    listed(await list(context, 'hub', query)),
  getPublicPluginById: (context, { params }) => show(context, 'hub', params.id),
  getDereferencedPublicPluginById: (context, { params, query }) =>
    dereferenced(context, 'hub', params.id, query.interfaces),
  getPublicPlugin: (context, { params }) => showNamed(context, 'hub', params),
  getPublicPluginCode: (context, { params }) => findCode(context, 'hub', params),
}

const listed = <Item, Meta>({ items, meta }: { items: Item[]; meta: Meta }) => ({
  plugins: items,
  meta,
})

type Platform = Parameters<typeof findPluginCode>[3]
const findCode = async (
  { services }: Context<unknown>,
  scope: Scope,
  { id, platform }: { id: string; platform: Platform },
) => ({
  code: await findPluginCode(services.db, scope, id, platform),
})

async function dereferenced(
  context: Context<unknown>,
  scope: Scope,
  id: string,
  interfaces: Record<string, string> = {},
) {
  const found = await find(context, scope, id)
  return shown(context, {
    ...found,
    definition: await dereferencePlugin(context.services.db, scope, found, interfaces),
  })
}

async function shown(
  context: Context<unknown>,
  row: Plugin,
): Promise<{ plugin: ShownPlugin }> {
  const dependencies = (await findDependencies(context.services.db, [row.id])).get(
    row.id,
  )!
  return {
    plugin: { ...toPluginHead(row, getOrigin(context)), ...row.definition, dependencies },
  }
}
