// The services of this feature, which its handlers receive beside those of the core.
import type { WebhookRequests } from './webhook-requests.ts'

export interface WebhookDiaryServices {
  /** Records requests to integrations, in the background. */
  webhookRequests: Pick<WebhookRequests, 'record'>
}
