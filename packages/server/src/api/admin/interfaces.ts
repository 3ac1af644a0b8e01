import type { admin, Handlers, Interface as ShownInterface } from '@botstead/contract'
import { isImplemented } from '../../integrations/implementations.ts'
import type { InterfaceDefinition } from '../../interfaces/definition.ts'
import { createInterface, deleteInterface, type Interface, type IsUsed, updateInterface } from '../../interfaces/interfaces.ts'
import { findPackage, findPackageByName } from '../../packages/heads.ts'
import { noPackage } from '../../packages/publishing.ts'
import type { Scope } from '../../packages/versions.ts'
import { isDependedOn } from '../../plugins/dependencies.ts'
import type { AccountCaller, Context, Contexts, WorkspaceCaller } from '../../services.ts'
import { originOf } from '../origin.ts'
import { headOf, type PackageQuery, pageOfPackages, within } from './packages.ts'

export const interfaces: Handlers<(typeof admin)['interfaces'], Contexts> = {
  async createInterface(context, { body }) {
    const { services, caller } = context
    return services.db.transaction().execute(async (trx) => {
      const id = await createInterface(trx, services.limits, caller.workspaceId, body)
      return show(within(context, trx), scopeOf(context), id)
    })
  },

  async listInterfaces(context, { query }) {
    return list(context, scopeOf(context), query)
  },

  async getInterface(context, { params }) {
    return show(context, scopeOf(context), params.id)
  },

  async updateInterface(context, { params, body }) {
    const { services, caller } = context
    return services.db.transaction().execute(async (trx) => {
      await updateInterface(trx, services.limits, caller.workspaceId, params.id, body, isUsed)
      return show(within(context, trx), scopeOf(context), params.id)
    })
  },

  async deleteInterface({ services, caller }, { params }) {
    await services.db.transaction().execute((trx) => deleteInterface(trx, caller.workspaceId, params.id, isUsed))
    return {}
  },

  async getInterfaceByName(context, { params }) {
    return showNamed(context, scopeOf(context), params)
  },

  async listPublicInterfaces(context, { query }) {
    return list(context, 'hub', query)
  },

  async getPublicInterfaceById(context, { params }) {
    return show(context, 'hub', params.id)
  },

  async getPublicInterface(context, { params }) {
    return showNamed(context, 'hub', params)
  },
}

const isUsed: IsUsed = async (db, id, but) => (await isImplemented(db, id, but)) || (await isDependedOn(db, id, but))

const scopeOf = ({ caller }: Context<WorkspaceCaller>): Scope => ({ workspaceId: caller.workspaceId })

async function list(context: Context<AccountCaller>, scope: Scope, query: PackageQuery) {
  const { items, meta } = await pageOfPackages(context, 'interface', scope, query)
  return { interfaces: items.map((row) => headOf(row, originOf(context))), meta }
}

async function show(context: Context<unknown>, scope: Scope, id: string) {
  const found = await findPackage<InterfaceDefinition>(context.services.db, 'interface', scope, id)
  if (!found) throw noPackage('interface', id)
  return { interface: shown(context, found) }
}

async function showNamed(context: Context<unknown>, scope: Scope, { name, version }: { name: string; version: string }) {
  const found = await findPackageByName<InterfaceDefinition>(context.services.db, 'interface', scope, name, version)
  if (!found) throw noPackage('interface', `${name}@${version}`)
  return { interface: shown(context, found) }
}

const shown = (context: Context<unknown>, row: Interface): ShownInterface => ({ ...headOf(row, originOf(context)), ...row.definition })
