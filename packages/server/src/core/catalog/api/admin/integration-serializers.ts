// Converts integrations to responses of the Admin API.
import type { Integration, IntegrationSummary, OwnerWorkspace } from '@botstead/contract'
import type { Context } from '../../../http/index.ts'
import {
  findMatches,
  type IntegrationListing,
  type IntegrationOwner,
  type ListedIntegration,
  listIntegrations,
} from '../../integrations/integration-listings.ts'
import type { FoundIntegration } from '../../integrations/integrations.ts'
import type { Scope } from '../../packages/versions.ts'
import { assetUrl } from '../package-assets.ts'
import { toPresentation } from './installation-serializers.ts'

/** Returns the URL at which the caller reaches this server. */
export const getOrigin = ({ services, request }: Context<unknown>) =>
  services.config.publicUrl ?? `${request.protocol}://${request.host}`

/** `signingSecret` is returned only once, when the integration is created. */
export function toIntegration(
  row: FoundIntegration,
  origin: string,
  signingSecret = '',
): Integration {
  const { extraOperations: _ours, ...definition } = row.definition
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    dev: row.dev,
    url: (row.workspace_id !== null && row.url) || '',
    signingSecret,
    secrets: row.secretNames,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...toPresentation(row, origin),
    ...definition,
    readmeUrl: assetUrl(origin, row.readme_id),
    attributes: row.attributes,
    ...(row.max_execution_seconds !== null && {
      maxExecutionTime: row.max_execution_seconds,
    }),
  }
}

const toSummary = (
  row: ListedIntegration,
  origin: string,
  search: string | undefined,
): IntegrationSummary => ({
  id: row.id,
  name: row.name,
  version: row.version,
  attributes: row.attributes,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  ...toPresentation(row, origin),
  ...(search !== undefined && { matchedOn: findMatches(row, search) }),
})

/** The owner of the server's own packages is a placeholder. */
export const toOwner = (owner: IntegrationOwner | null): OwnerWorkspace =>
  owner ?? { id: '00000000-0000-0000-0000-000000000000', handle: null, name: 'Botstead' }

type Query = Partial<Omit<IntegrationListing, 'after' | 'limit'>> & {
  nextToken?: string
  limit?: number
  pageSize?: number
  verificationStatus?: string
}

const maxPageSize = 100

/**
 * `tokenScope` binds page tokens to the caller. Every registered integration is approved, so a
 * filter for another status finds nothing.
 */
export async function pageOfIntegrations(
  context: Context<unknown>,
  scope: Scope,
  tokenScope: string[],
  query: Query,
) {
  const {
    nextToken,
    limit,
    pageSize,
    verificationStatus = 'approved',
    ...filters
  } = query
  const { pageTokens, db } = context.services
  const sortBy = filters.sortBy ?? 'createdAt'
  const wanted = {
    ...filters,
    sortBy,
    direction: filters.direction ?? (sortBy === 'name' ? 'asc' : 'desc'),
    dev: filters.dev ?? false,
  } as const
  const listing = JSON.stringify([tokenScope, wanted, verificationStatus])
  const after = pageTokens.read(listing, nextToken)
  const size = Math.min(Math.max(Math.floor(pageSize ?? limit ?? 20), 1), maxPageSize)
  const rows =
    verificationStatus === 'approved'
      ? await listIntegrations(db, scope, { ...wanted, after, limit: size + 1 })
      : []
  const last = rows[size - 1]
  return {
    rows: rows.slice(0, size).map((row) => ({
      row,
      summary: toSummary(row, getOrigin(context), filters.search),
    })),
    meta:
      rows.length > size && last
        ? { nextToken: pageTokens.make(listing, [last.position, last.id]) }
        : {},
  }
}
