import { Type as T } from 'typebox'
import { closed, Meta, paging } from '../../fields.ts'
import { WebhookContent, WebhookRequest } from '../../models/bots/webhook-request.ts'
import { operation } from '../../operation.ts'

const ofInstallation = T.Object({ botId: T.String(), alias: T.String() })
const byId = T.Object({ botId: T.String(), alias: T.String(), id: T.String() })
const path = '/v1/platform/bots/{botId}/integrations/{alias}/webhook-requests'

export const webhookRequests = {
  listWebhookRequests: operation({
    method: 'GET',
    path,
    access: 'workspace',
    permission: 'data.read',
    summary: 'List requests to an integration, newest first',
    description: 'The server keeps the last 100 requests of each installed integration.',
    params: ofInstallation,
    query: T.Object(paging),
    response: closed({ requests: T.Array(WebhookRequest), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  getWebhookRequest: operation({
    method: 'GET',
    path: `${path}/{id}`,
    access: 'workspace',
    permission: 'data.read',
    summary: 'Get a request to an integration',
    description: 'Headers, parameters and fields with names of secrets have no value.',
    params: byId,
    response: closed({ request: WebhookRequest, content: WebhookContent }),
    errors: ['ResourceNotFound'],
  }),
  replayWebhookRequest: operation({
    method: 'POST',
    path: `${path}/{id}/replay`,
    access: 'workspace',
    permission: 'data.write',
    summary: 'Redeliver a request to an integration',
    description:
      'The integration receives the original request again. Returns the new entry.',
    params: byId,
    body: closed({}),
    response: closed({ request: WebhookRequest }),
    errors: ['ResourceNotFound', 'LimitExceeded'],
  }),
}
