import { Type as T } from 'typebox'
import { closed } from '../fields.ts'
import { operation } from '../operation.ts'

export const integrations = {
  /**
   * The newest SDK names this operation. No public client shows its path and schema, so both are a
   * guess.
   */
  getIntegrationInstanceIdentifiers: operation({
    method: 'GET',
    path: '/v1/chat/integrations/identifiers',
    access: 'bot',
    summary: 'List the identifiers of an integration installation',
    response: closed({ identifiers: T.Array(T.String()) }),
    errors: ['Forbidden'],
    experimental: true,
  }),
}
