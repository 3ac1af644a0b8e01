import type { Handlers, runtime } from '@botstead/contract'
import { type Contexts, getViewer, runtimePage, toListPage } from '../../../http/index.ts'
import { listTagValues } from '../../tags/tag-values.ts'

export const tags: Handlers<typeof runtime.tags, Contexts> = {
  async listTagValues(context, { params: { key }, query }) {
    const { services, caller } = context
    const page = runtimePage(context, 'listTagValues', { ...query, key })
    const listing = {
      key,
      kind: query.type,
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    }
    const { items, meta } = toListPage(
      page,
      await listTagValues(services.db, caller.botId, getViewer(caller), listing),
      (value) => [value],
    )
    return { tags: items.map((value) => ({ value })), meta }
  },
}
