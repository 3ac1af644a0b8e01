// What the handlers of interfaces and plugins have in common: whose are meant, how they are paged, and how their heads look.
import type { InterfaceSummary, PluginSummary } from '@botstead/contract'
import type { Db } from '../../db/open.ts'
import { type HeadedTable, listPackages, type PackageHead } from '../../packages/heads.ts'
import type { Scope } from '../../packages/versions.ts'
import type { AccountCaller, Context } from '../../services.ts'
import { assetUrl } from '../package-assets.ts'
import { pageOf, positionOf, startOf } from '../paging.ts'

export interface PackageQuery {
  nextToken?: string
  pageSize?: number
  name?: string
  version?: string
}

/** A page token is its caller's own, also in the hub. */
export async function pageOfPackages({ services, caller }: Context<AccountCaller>, table: HeadedTable, scope: Scope, query: PackageQuery) {
  const { name, version } = query
  const page = startOf(services, ['admin.packages', JSON.stringify([table, scope, name, version, caller.accountId])], query)
  const after = page.position && { at: page.position[0]!, id: page.position[1]! }
  return pageOf(page, await listPackages(services.db, table, scope, { name, version, after, limit: page.limit + 1 }), positionOf)
}

/** To answer from what a transaction has written, before it is over: either both are there, or neither. */
export const within = <C extends Context<unknown>>(context: C, trx: Db): C => ({ ...context, services: { ...context.services, db: trx } })

export const headOf = (row: PackageHead, origin: string): InterfaceSummary => ({
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

/** Nobody has to approve of a plugin here, and none is taken back. */
export const pluginHeadOf = (row: PackageHead, origin: string): PluginSummary => ({
  ...headOf(row, origin),
  visibility: row.visibility,
  lifecycleStatus: 'published',
})
