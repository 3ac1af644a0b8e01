import { ApiError, type Handlers, type runtime } from '@botstead/contract'
import type { BotCaller, Contexts } from '../../http/index.ts'
import {
  createWorkflow,
  deleteWorkflow,
  findWorkflow,
  getOrCreateWorkflow,
  listWorkflows,
  type NewWorkflow,
  toWorkflow,
  updateWorkflow,
  type WorkflowCaller,
} from '../../workflows/index.ts'
import { momentOf } from '../moments.ts'
import { pageOf } from '../paging.ts'
import { runtimePage } from './paging.ts'
import { viewerOf } from './viewer.ts'

export const workflows: Handlers<typeof runtime.workflows, Contexts> = {
  async createWorkflow({ services, caller }, { body }) {
    return {
      workflow: toWorkflow(
        await createWorkflow(services, callerOf(caller), newWorkflow(body)),
        viewerOf(caller),
      ),
    }
  },

  async getOrCreateWorkflow({ services, caller }, { body }) {
    const { discriminateByTags: tags, discriminateByStatusGroup: statusGroup, ...input } = body
    const { row, created } = await getOrCreateWorkflow(
      services,
      callerOf(caller),
      newWorkflow(input),
      {
        tags,
        statusGroup,
      },
    )
    return { workflow: toWorkflow(row, viewerOf(caller)), meta: { created } }
  },

  async getWorkflow({ services, caller }, { params }) {
    return {
      workflow: toWorkflow(
        await findWorkflow(services.db, caller.botId, params.id, viewerOf(caller)),
        viewerOf(caller),
      ),
    }
  },

  async listWorkflows(context, { query }) {
    const { services, caller } = context
    const page = runtimePage(context, 'listWorkflows', query)
    const rows = await listWorkflows(services.db, caller.botId, viewerOf(caller), {
      ...query,
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = pageOf(page, rows, (row) => [row.id])
    return { workflows: items.map((row) => toWorkflow(row, viewerOf(caller))), meta }
  },

  async updateWorkflow({ services, caller }, { params, body }) {
    const change = { ...body, timeoutAt: momentOf(body.timeoutAt) }
    return {
      workflow: toWorkflow(
        await updateWorkflow(services, callerOf(caller), params.id, change),
        viewerOf(caller),
      ),
    }
  },

  async deleteWorkflow({ services, caller }, { params }) {
    await deleteWorkflow(services, callerOf(caller), params.id)
    return {}
  },
}

const callerOf = (caller: BotCaller): WorkflowCaller => ({
  botId: caller.botId,
  viewer: viewerOf(caller),
  cause: caller.cause,
})

function newWorkflow({
  timeoutAt,
  ...body
}: Omit<NewWorkflow, 'timeoutAt'> & { timeoutAt?: string | undefined }): NewWorkflow {
  if (body.status === 'in_progress' && body.eventId === undefined)
    throw new ApiError(
      'InvalidPayload',
      '`eventId` is required for the status in_progress: the event that the workflow is processing',
    )
  return { ...body, timeoutAt: momentOf(timeoutAt) }
}
