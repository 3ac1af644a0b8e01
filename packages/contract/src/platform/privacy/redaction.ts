import { Type as T } from 'typebox'
import { closed } from '../../fields.ts'
import {
  Redaction,
  RedactionMatch,
  RedactionRules,
} from '../../models/privacy/redaction.ts'
import { operation } from '../../operation.ts'

export const redaction = {
  getRedaction: operation({
    method: 'GET',
    path: '/v1/platform/redaction',
    access: 'bot',
    permission: 'bots.read',
    summary: 'Get the redaction rules of a bot',
    response: Redaction,
  }),
  setRedaction: operation({
    method: 'PUT',
    path: '/v1/platform/redaction',
    access: 'bot',
    permission: 'data.write',
    audit: 'UPDATE_BOT',
    summary: 'Replace the redaction rules of a bot',
    description: 'The rules apply to new data. Stored data does not change.',
    body: RedactionRules,
    response: Redaction,
    errors: ['InvalidPayload'],
  }),
  tryRedaction: operation({
    method: 'POST',
    path: '/v1/platform/redaction/try',
    access: 'bot',
    permission: 'data.write',
    audit: false,
    summary: 'Test redaction rules with a text',
    description: 'Applies these rules and those of the installation. Stores nothing.',
    body: closed({ ...RedactionRules.properties, text: T.String({ maxLength: 10_000 }) }),
    response: closed({ text: T.String(), matches: T.Array(RedactionMatch) }),
    errors: ['InvalidPayload'],
  }),
}
