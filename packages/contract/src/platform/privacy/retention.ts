import { closed } from '../../fields.ts'
import {
  Retention,
  RetentionCounts,
  RetentionDays,
} from '../../models/privacy/retention.ts'
import { operation } from '../../operation.ts'

export const retention = {
  getRetention: operation({
    method: 'GET',
    path: '/v1/platform/retention',
    access: 'bot',
    permission: 'bots.read',
    summary: 'Get the retention of a bot',
    response: Retention,
  }),
  setRetention: operation({
    method: 'PUT',
    path: '/v1/platform/retention',
    access: 'bot',
    permission: 'data.write',
    audit: 'UPDATE_BOT',
    summary: 'Replace the retention of a bot',
    description:
      "Replaces the bot's rules. The server deletes older data in the background, within minutes. " +
      'Data in flight stays: pending deliveries, open handoffs, running workflows, scheduled messages.',
    body: RetentionDays,
    response: Retention,
    errors: ['InvalidPayload'],
  }),
  countRetention: operation({
    method: 'POST',
    path: '/v1/platform/retention/dry-run',
    access: 'bot',
    permission: 'data.write',
    audit: false,
    summary: 'Count what retention would delete',
    description:
      'Counts for these rules and the limits of the installation. Changes nothing.',
    body: RetentionDays,
    response: closed({ counts: RetentionCounts }),
    errors: ['InvalidPayload'],
  }),
}
