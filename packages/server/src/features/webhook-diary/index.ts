import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const webhookDiary: Feature = { name: 'webhook-diary', handlers }
export { findInstalled } from './api/platform/webhook-requests.ts'
export type { WebhookDiaryServices } from './services.ts'
export { tables } from './table-rules.ts'
export { openWebhookRequests } from './webhook-requests.ts'
