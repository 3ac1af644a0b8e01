import { closed } from '../fields.ts'
import { Health } from '../models/health.ts'
import { operation } from '../operation.ts'

export const health = {
  getHealth: operation({
    method: 'GET',
    path: '/v1/platform/health',
    access: 'account',
    summary: 'See how the server is: its version, database and disk, and what holds around hosted code',
    response: closed({ health: Health }),
  }),
}
