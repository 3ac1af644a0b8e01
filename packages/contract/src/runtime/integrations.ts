import { Type as T } from 'typebox'
import { closed, Done, nullable } from '../fields.ts'
import { operation } from '../operation.ts'

const RegisterSchedule = T.Enum([
  'hourly',
  'daily',
  'weekly',
  'bi-weekly',
  'monthly',
  'bi-monthly',
  'quarterly',
  'yearly',
])

const sandboxIdentifiers = T.Unsafe<Record<string, never> | null>({
  ...nullable(closed({})),
  description:
    'Experimental, for specific integrations. Null removes all sandbox identifiers.',
  'x-experimental': true,
})

export const integrations = {
  configureIntegration: operation({
    method: 'POST',
    path: '/v1/chat/integrations/configure',
    access: 'bot',
    summary: "Set an integration's identifier and registration interval",
    body: closed({
      identifier: T.Optional(nullable(T.String({ maxLength: 200 }))),
      scheduleRegisterCall: T.Optional(RegisterSchedule),
      sandboxIdentifiers: T.Optional(sandboxIdentifiers),
    }),
    response: Done,
    errors: ['Forbidden', 'AlreadyExists', 'LimitExceeded'],
  }),
}
