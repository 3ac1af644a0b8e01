import type { admin, Handlers, Interface as ShownInterface } from '@botstead/contract'
import {
  createInterface,
  deleteInterface,
  type InterfaceDefinition,
  type IsUsed,
  isDependedOn,
  isImplemented,
  type Package,
  updateInterface,
} from '../../catalog/index.ts'
import type { Contexts } from '../../http/index.ts'
import { originOf } from '../origin.ts'
import { packageHandlers, scopeOf, toPackageHead } from './packages.ts'

const isUsed: IsUsed = async (db, id, but) =>
  (await isImplemented(db, id, but)) || (await isDependedOn(db, id, but))

const { create, update, remove, show, showNamed, list } = packageHandlers({
  table: 'interface',
  create: createInterface,
  update: (db, limits, workspaceId, id, change: Parameters<typeof updateInterface>[4]) =>
    updateInterface(db, limits, workspaceId, id, change, isUsed),
  remove: (db, workspaceId, id) => deleteInterface(db, workspaceId, id, isUsed),
  serialize: async (
    context,
    row: Package<InterfaceDefinition>,
  ): Promise<{ interface: ShownInterface }> => ({
    interface: { ...toPackageHead(row, originOf(context)), ...row.definition },
  }),
  serializeSummary: toPackageHead,
})

export const interfaces: Handlers<(typeof admin)['interfaces'], Contexts> = {
  createInterface: (context, { body }) => create(context, body),
  listInterfaces: async (context, { query }) =>
    listed(await list(context, scopeOf(context), query)),
  getInterface: (context, { params }) => show(context, scopeOf(context), params.id),
  updateInterface: (context, { params, body }) => update(context, params.id, body),
  deleteInterface: (context, { params }) => remove(context, params.id),
  getInterfaceByName: (context, { params }) => showNamed(context, scopeOf(context), params),
  listPublicInterfaces: async (context, { query }) => listed(await list(context, 'hub', query)),
  getPublicInterfaceById: (context, { params }) => show(context, 'hub', params.id),
  getPublicInterface: (context, { params }) => showNamed(context, 'hub', params),
}

const listed = <Item, Meta>({ items, meta }: { items: Item[]; meta: Meta }) => ({
  interfaces: items,
  meta,
})
