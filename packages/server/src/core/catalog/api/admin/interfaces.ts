import type { admin, Handlers, Interface as ShownInterface } from '@botstead/contract'
import { type Contexts, getOrigin } from '../../../http/index.ts'
import { isImplemented } from '../../integrations/implementations.ts'
import type { InterfaceDefinition } from '../../interfaces/definition.ts'
import {
  createInterface,
  deleteInterface,
  type IsUsed,
  updateInterface,
} from '../../interfaces/interfaces.ts'
import type { Package } from '../../packages/heads.ts'
import { isDependedOn } from '../../plugins/dependencies.ts'
import { packageHandlers, toPackageHead, toScope } from './packages.ts'

export const isInterfaceUsed: IsUsed = async (db, id, but) =>
  (await isImplemented(db, id, but)) || (await isDependedOn(db, id, but))

const { create, update, remove, show, showNamed, list } = packageHandlers({
  table: 'interface',
  create: createInterface,
  update: (db, limits, workspaceId, id, change: Parameters<typeof updateInterface>[4]) =>
    updateInterface(db, limits, workspaceId, id, change, isInterfaceUsed),
  remove: (db, workspaceId, id) => deleteInterface(db, workspaceId, id, isInterfaceUsed),
  serialize: async (
    context,
    row: Package<InterfaceDefinition>,
  ): Promise<{ interface: ShownInterface }> => ({
    interface: { ...toPackageHead(row, getOrigin(context)), ...row.definition },
  }),
  serializeSummary: toPackageHead,
})

export const interfaces: Handlers<(typeof admin)['interfaces'], Contexts> = {
  createInterface: (context, { body }) => create(context, body),
  listInterfaces: async (context, { query }) =>
    listed(await list(context, toScope(context), query)),
  getInterface: (context, { params }) => show(context, toScope(context), params.id),
  updateInterface: (context, { params, body }) => update(context, params.id, body),
  deleteInterface: (context, { params }) => remove(context, params.id),
  getInterfaceByName: (context, { params }) =>
    showNamed(context, toScope(context), params),
  listPublicInterfaces: async (context, { query }) =>
    listed(await list(context, 'hub', query)),
  getPublicInterfaceById: (context, { params }) => show(context, 'hub', params.id),
  getPublicInterface: (context, { params }) => showNamed(context, 'hub', params),
}

const listed = <Item, Meta>({ items, meta }: { items: Item[]; meta: Meta }) => ({
  interfaces: items,
  meta,
})
