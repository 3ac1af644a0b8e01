// The listing of the bots of a workspace.
import { type admin, type Input, may } from '@botstead/contract'
import type { Caller, Services } from '../../../http/index.ts'
import { listBots } from '../../bots.ts'
import { toBotSummary } from './serializers.ts'

type Query = Input<(typeof admin)['bots']['listBots']>['query']

/** Returns a page of the bots that the caller may see. */
export async function listBotSummaries(
  services: Services,
  caller: Caller<'workspace'>,
  query: Query,
) {
  const {
    nextToken,
    dev = false,
    tags = {},
    integrationNames,
    pluginNames,
    sortField = 'createdAt',
    sortDirection = 'desc',
    pageSize = 20,
  } = query
  const filter = { dev, tags, integrationNames, pluginNames }
  const listing = JSON.stringify([
    'listBots',
    caller.workspaceId,
    filter,
    sortField,
    sortDirection,
  ])
  const after = services.pageTokens.read(listing, nextToken)
  const column = sortField === 'createdAt' ? 'created_at' : 'updated_at'
  const rows = await listBots(services.db, caller.workspaceId, {
    ...filter,
    sortField: column,
    sortDirection,
    limit: pageSize + 1,
    seenBy: may(caller.role, 'bots.readAny') ? null : caller.accountId,
    after: after && { at: after[0]!, id: after[1]! },
  })
  const shown = rows.slice(0, pageSize)
  const last = shown.at(-1)
  return {
    bots: shown.map(toBotSummary),
    meta:
      rows.length > pageSize && last
        ? {
            nextToken: services.pageTokens.make(listing, [
              last[column].toISOString(),
              last.id,
            ]),
          }
        : {},
  }
}
