import { ApiError, type Handlers, type runtime } from '@botstead/contract'
import type { Caller } from '../../../http/index.ts'
import {
  type Contexts,
  getViewer,
  runtimePage,
  toDate,
  toListPage,
} from '../../../http/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import { toWorkflow } from '../../serializers.ts'
import { deleteWorkflow, updateWorkflow } from '../../workflow-changes.ts'
import { listWorkflows } from '../../workflow-listing.ts'
import {
  createWorkflow,
  findWorkflow,
  getOrCreateWorkflow,
  type NewWorkflow,
  type WorkflowCaller,
} from '../../workflows.ts'

export const workflows: Handlers<typeof runtime.workflows, Contexts<QueueServices>> = {
  async createWorkflow({ services, caller }, { body }) {
    return {
      workflow: toWorkflow(
        await createWorkflow(services, toWorkflowCaller(caller), newWorkflow(body)),
        getViewer(caller),
      ),
    }
  },

  async getOrCreateWorkflow({ services, caller }, { body }) {
    const {
      discriminateByTags: tags,
      discriminateByStatusGroup: statusGroup,
      ...input
    } = body
    const { row, created } = await getOrCreateWorkflow(
      services,
      toWorkflowCaller(caller),
      newWorkflow(input),
      {
        tags,
        statusGroup,
      },
    )
    return { workflow: toWorkflow(row, getViewer(caller)), meta: { created } }
  },

  async getWorkflow({ services, caller }, { params }) {
    return {
      workflow: toWorkflow(
        await findWorkflow(services.db, caller.botId, params.id, getViewer(caller)),
        getViewer(caller),
      ),
    }
  },

  async listWorkflows(context, { query }) {
    const { services, caller } = context
    const page = runtimePage(context, 'listWorkflows', query)
    const rows = await listWorkflows(services.db, caller.botId, getViewer(caller), {
      ...query,
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, (row) => [row.id])
    return { workflows: items.map((row) => toWorkflow(row, getViewer(caller))), meta }
  },

  async updateWorkflow({ services, caller }, { params, body }) {
    const change = { ...body, timeoutAt: toDate(body.timeoutAt) }
    return {
      workflow: toWorkflow(
        await updateWorkflow(services, toWorkflowCaller(caller), params.id, change),
        getViewer(caller),
      ),
    }
  },

  async deleteWorkflow({ services, caller }, { params }) {
    await deleteWorkflow(services, toWorkflowCaller(caller), params.id)
    return {}
  },
}

const toWorkflowCaller = (caller: Caller<'bot'>): WorkflowCaller => ({
  botId: caller.botId,
  viewer: getViewer(caller),
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
  return { ...body, timeoutAt: toDate(timeoutAt) }
}
