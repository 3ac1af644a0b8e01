import type { DeliveryHooks } from '../../core/delivery/index.ts'
import type { Feature } from '../../core/feature.ts'
import type { ChangeFeed } from '../../core/realtime/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { bindings, type WebhookDiaryServices } from './services.ts'
import { tables } from './table-rules.ts'
import { openWebhookRequests } from './webhook-requests.ts'

export const webhookDiary = {
  name: 'webhook-diary',
  tables,
  bindings,
  handlers,
  open: openDiary,
  hooks: (hooks: DeliveryHooks, { webhookRequests }: WebhookDiaryServices) =>
    hooks.webhookForwarded.push((forwarded) => webhookRequests.record(forwarded)),
} satisfies Feature

interface Deps extends Omit<Parameters<typeof openWebhookRequests>[0], 'written'> {
  changeFeed: Pick<ChangeFeed, 'publish'>
}

function openDiary({ changeFeed, ...deps }: Deps): {
  services: WebhookDiaryServices
  close(): Promise<void>
} {
  const webhookRequests = openWebhookRequests({
    ...deps,
    written: (botId) => changeFeed.publish({ topic: 'webhookRequests', botId }),
  })
  return { services: { webhookRequests }, close: () => webhookRequests.close() }
}

export { findInstalled } from './api/platform/webhook-requests.ts'
