import {
  ApiError,
  type Handlers,
  type platform,
  type WebhookContent,
  type WebhookRequest,
} from '@botstead/contract'
import { botStore } from '../../../../core/bots/index.ts'
import { type Installation, installationStore } from '../../../../core/catalog/index.ts'
import {
  type DeliveryServices,
  type ForwardedRequest,
  forwardToIntegration,
} from '../../../../core/delivery/index.ts'
import {
  type Contexts,
  parsePage,
  type Services,
  toListPage,
} from '../../../../core/http/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import type { WebhookDiaryServices } from '../../services.ts'
import {
  findWebhookRequest,
  listWebhookRequests,
  openOriginal,
  type WebhookRequestContent,
  type WebhookRequestRow,
} from '../../webhook-requests.ts'

type Own = DeliveryServices & RealtimeServices & WebhookDiaryServices

export const webhookRequests: Handlers<typeof platform.webhookRequests, Contexts<Own>> = {
  async listWebhookRequests({ services, caller }, { params, query }) {
    const { bot_id, alias } = await findInstalled(services, caller.workspaceId, params)
    const page = parsePage(
      services,
      ['platform.listWebhookRequests', bot_id, alias],
      query,
    )
    const rows = await listWebhookRequests(services.db, bot_id, alias, {
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ id }) => [id])
    return { requests: items.map(toWebhookRequest), meta }
  },

  async getWebhookRequest({ services, caller }, { params }) {
    const { bot_id, alias } = await findInstalled(services, caller.workspaceId, params)
    const row = await findWebhookRequest(services.db, bot_id, alias, params.id)
    return { request: toWebhookRequest(row), content: toContent(row.content) }
  },

  async replayWebhookRequest({ services, caller }, { params }) {
    const installation = await findInstalled(services, caller.workspaceId, params)
    const { bot_id, alias } = installation
    const original = await openOriginal(services, bot_id, alias, params.id)
    return { request: await replay(services, installation, { id: params.id, original }) }
  },
}

/** Throws ResourceNotFound. */
export async function findInstalled(
  { db }: Services,
  workspaceId: string,
  { botId, alias }: { botId: string; alias: string },
): Promise<Installation> {
  const { id } = await botStore.find(db, workspaceId, botId)
  const installation = await installationStore.find(db, id, alias)
  if (installation) return installation
  throw new ApiError(
    'ResourceNotFound',
    `No integration is installed under the alias "${alias}"`,
  )
}

interface Repeated {
  id: string
  original: Awaited<ReturnType<typeof openOriginal>>
}

/** Returns the new entry also if the integration does not respond. */
async function replay(
  services: Services & Own,
  installation: Installation,
  { id, original }: Repeated,
) {
  if (!installation.enabled || installation.builtIn)
    throw new ApiError(
      'ResourceNotFound',
      'There is no enabled integration with webhooks',
    )
  let request: WebhookRequest | undefined
  // The body is small, and the response is dropped.
  const place = { assign() {}, add: () => true, release() {} }
  const record = (forwarded: ForwardedRequest) => {
    request = toWebhookRequest(services.webhookRequests.record(forwarded))
  }
  const recording = {
    ...services,
    hooks: { ...services.hooks, webhookForwarded: [record] },
  }
  const options = { replayOf: id }
  await forwardToIntegration(recording, installation, original, place, options).catch(
    (error) => {
      if (!(error instanceof ApiError)) throw error
    },
  )
  return request!
}

const toWebhookRequest = (row: WebhookRequestRow): WebhookRequest => ({
  id: row.id,
  at: row.at.toISOString(),
  method: row.method,
  path: row.path,
  ms: row.ms,
  ...(row.status !== null && { status: row.status }),
  ...(row.error !== null && { error: row.error }),
  isRepeatable: row.is_repeatable,
  ...(row.replay_of !== null && { replayOf: row.replay_of }),
})

const toContent = ({ response, ...content }: WebhookRequestContent): WebhookContent => ({
  ...content,
  ...(response && { response }),
})
