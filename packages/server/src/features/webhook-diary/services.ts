// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { WebhookRequests } from './webhook-requests.ts'

export interface WebhookDiaryServices {
  /** Records requests to integrations, in the background. */
  webhookRequests: Pick<WebhookRequests, 'record'>
}

export const bindings = {
  webhookRequests: 'unchanged',
} satisfies Bindings<WebhookDiaryServices>
