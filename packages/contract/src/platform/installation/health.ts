import { closed } from '../../fields.ts'
import { Health } from '../../models/bots/health.ts'
import { operation } from '../../operation.ts'

export const health = {
  getHealth: operation({
    method: 'GET',
    path: '/v1/platform/health',
    access: 'account',
    summary: 'Get the health of the server',
    description:
      'Owners of the first workspace also get the version and the state of the database, the disk ' +
      'and the sandbox.',
    response: closed({ health: Health }),
  }),
}
