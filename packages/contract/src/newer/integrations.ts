import { Type as T } from 'typebox'
import { closed } from '../fields.ts'
import { operation } from '../operation.ts'

export const integrations = {
  /** The newest SDK names the operation; no public client shows its route and shape, so these are a guess. */
  getIntegrationInstanceIdentifiers: operation({
    method: 'GET',
    path: '/v1/chat/integrations/identifiers',
    access: 'bot',
    summary: 'List the identifiers that this installation claimed',
    response: closed({ identifiers: T.Array(T.String()) }),
    errors: ['Forbidden'],
    experimental: true,
  }),
}
