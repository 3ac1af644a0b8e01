import { Type as T } from 'typebox'
import { closed, Meta, paging } from '../../fields.ts'
import { CopilotAllowance, CopilotRun } from '../../models/bots/copilot-run.ts'
import { operation } from '../../operation.ts'

const path = '/v1/platform/bots/{botId}/copilot-runs'
const ofBot = T.Object({ botId: T.String() })
const byNumber = T.Object({ botId: T.String(), number: T.String() })
const response = closed({ run: CopilotRun })

export const copilot = {
  listCopilotRuns: operation({
    method: 'GET',
    path,
    access: 'workspace',
    permission: 'bots.read',
    summary: 'List requests to the copilot, newest first',
    description: 'Those of the last 30 days, with what the copilot of the bot may use.',
    params: ofBot,
    query: T.Object(paging),
    response: closed({
      runs: T.Array(CopilotRun),
      allowance: CopilotAllowance,
      meta: Meta,
    }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  startCopilotRun: operation({
    method: 'POST',
    path,
    access: 'workspace',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    status: 201,
    summary: 'Start a request to the copilot',
    description:
      'A language model edits, checks and tests a copy of the draft, as the caller and in this ' +
      'bot only. The draft stays as it is: apply the result with `saveBotDraft`. Nothing is ' +
      'published. `QuotaExceeded` if the allowance of the day is used up, ' +
      '`ResourceLockedConflict` while another request of the bot runs.',
    params: ofBot,
    body: closed({ request: T.String({ minLength: 1, maxLength: 10_000 }) }),
    response,
    errors: [
      'ResourceNotFound',
      'ReferenceNotFound',
      'ReferenceConstraint',
      'QuotaExceeded',
      'ResourceLockedConflict',
    ],
  }),
  getCopilotRun: operation({
    method: 'GET',
    path: `${path}/{number}`,
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Get a request to the copilot',
    description:
      '`text` is the changed document, `baseText` the draft with which the request began.',
    params: byNumber,
    response: closed({
      run: CopilotRun,
      format: T.Enum(['JSON', 'YAML']),
      baseText: T.String(),
      text: T.Union([T.String(), T.Null()]),
    }),
    errors: ['ResourceNotFound'],
  }),
  stopCopilotRun: operation({
    method: 'POST',
    path: `${path}/{number}/stop`,
    access: 'workspace',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    summary: 'Stop a request to the copilot',
    description: 'Changes nothing if it has ended.',
    params: byNumber,
    body: closed({}),
    response,
    errors: ['ResourceNotFound'],
  }),
}
