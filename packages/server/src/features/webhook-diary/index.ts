import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const webhookDiary = { name: 'webhook-diary', handlers } satisfies Feature
export { findInstalled } from './api/platform/webhook-requests.ts'
export { type WebhookDiaryServices, webhookDiaryBindings } from './services.ts'
export { tables } from './table-rules.ts'
export { openWebhookRequests } from './webhook-requests.ts'
