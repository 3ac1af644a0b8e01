// Shared handlers of interfaces and plugins: their operations on versions, scopes, pages and heads.
import type { InterfaceSummary, PluginSummary } from '@botstead/contract'
import type { Limits } from '../../../config/index.ts'
import type { Db } from '../../../db/index.ts'
import {
  type Caller,
  type Context,
  creationPosition,
  getOrigin,
  parsePage,
  textPosition,
  toListPage,
} from '../../../http/index.ts'
import {
  findPackage,
  findPackageByName,
  type HeadedTable,
  listPackages,
  type Package,
  type PackageHead,
} from '../../packages/heads.ts'
import { noPackage } from '../../packages/publishing.ts'
import type { Scope } from '../../packages/versions.ts'
import { assetUrl } from '../package-assets.ts'

interface PackageQuery {
  nextToken?: string
  pageSize?: number
  name?: string
  version?: string
}

/** Page tokens are bound to the caller, also in the hub. */
async function pageOfPackages(
  { services, caller }: Context<Caller<'account'>>,
  table: HeadedTable,
  scope: Scope,
  query: PackageQuery,
) {
  const { name, version } = query
  const page = parsePage(
    services,
    ['admin.packages', JSON.stringify([table, scope, name, version, caller.accountId])],
    query,
  )
  const after = textPosition(page.position)
  return toListPage(
    page,
    await listPackages(services.db, table, scope, {
      name,
      version,
      after,
      limit: page.limit + 1,
    }),
    creationPosition,
  )
}

export const toScope = ({ caller }: Context<Caller<'workspace'>>): Scope => ({
  workspaceId: caller.workspaceId,
})

/** Storage and conversion of one kind's versions. */
interface PackageKind<New, Change, Definition, Shown, Summary> {
  table: HeadedTable
  create(db: Db, limits: Limits, workspaceId: string, input: New): Promise<string>
  update(
    db: Db,
    limits: Limits,
    workspaceId: string,
    id: string,
    change: Change,
  ): Promise<void>
  remove(db: Db, workspaceId: string, id: string): Promise<void>
  serialize(context: Context<unknown>, found: Package<Definition>): Promise<Shown>
  serializeSummary(head: PackageHead, origin: string): Summary
}

/**
 * Returns the handlers of a kind. The response is read inside the transaction that writes, so that
 * neither exists without the other.
 */
export function packageHandlers<New, Change, Definition, Shown, Summary>(
  kind: PackageKind<New, Change, Definition, Shown, Summary>,
) {
  const { table } = kind
  const known = async (name: string, looked: Promise<Package<Definition> | null>) => {
    const one = await looked
    if (!one) throw noPackage(table, name)
    return one
  }
  const find = (context: Context<unknown>, scope: Scope, id: string) =>
    known(id, findPackage<Definition>(context.services.db, table, scope, id))
  const show = async (context: Context<unknown>, scope: Scope, id: string) =>
    kind.serialize(context, await find(context, scope, id))
  const written = (
    context: Context<Caller<'workspace'>>,
    write: (db: Db) => Promise<string>,
  ) =>
    context.services.db.transaction().execute(async (trx) => {
      const id = await write(trx)
      return show(
        { ...context, services: { ...context.services, db: trx } },
        toScope(context),
        id,
      )
    })
  return {
    find,
    show,
    create: (context: Context<Caller<'workspace'>>, input: New) =>
      written(context, (trx) =>
        kind.create(trx, context.services.limits, context.caller.workspaceId, input),
      ),
    update: (context: Context<Caller<'workspace'>>, id: string, change: Change) =>
      written(context, async (trx) => {
        await kind.update(
          trx,
          context.services.limits,
          context.caller.workspaceId,
          id,
          change,
        )
        return id
      }),
    async remove({ services, caller }: Context<Caller<'workspace'>>, id: string) {
      await services.db
        .transaction()
        .execute((trx) => kind.remove(trx, caller.workspaceId, id))
      return {}
    },
    async showNamed(
      context: Context<unknown>,
      scope: Scope,
      { name, version }: { name: string; version: string },
    ) {
      return kind.serialize(
        context,
        await known(
          `${name}@${version}`,
          findPackageByName<Definition>(context.services.db, table, scope, name, version),
        ),
      )
    },
    async list(context: Context<Caller<'account'>>, scope: Scope, query: PackageQuery) {
      const { items, meta } = await pageOfPackages(context, table, scope, query)
      return {
        items: items.map((row) => kind.serializeSummary(row, getOrigin(context))),
        meta,
      }
    },
  }
}

export const toPackageHead = (row: PackageHead, origin: string): InterfaceSummary => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  name: row.name,
  version: row.version,
  title: row.title ?? row.name.slice(0, 64),
  description: row.description,
  iconUrl: assetUrl(origin, row.icon_id),
  readmeUrl: assetUrl(origin, row.readme_id),
  public: row.visibility === 'public',
})

/** Plugins need no approval, and are never withdrawn. */
export const toPluginHead = (row: PackageHead, origin: string): PluginSummary => ({
  ...toPackageHead(row, origin),
  visibility: row.visibility,
  lifecycleStatus: 'published',
})
