// Written by `npm run generate` from the files beside it.
import { webhookRequests } from './platform/webhook-requests.ts'

export const handlers = {
  platform: {
    webhookRequests,
  },
}
