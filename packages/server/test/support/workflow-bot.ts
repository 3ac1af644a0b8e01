// A bot at a URL that handles workflows: it records its deliveries and runs the test's handler.
import { type CodeAtUrl, openCodeServer, rejectionResponse } from './code-at-url.ts'

export interface ReceivedUpdate {
  id: string
  type: string
  workflowId: string | undefined
  /** Of a workflow_update: `workflow_started` and so on. */
  update: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests read from it what they assert
  event: any
  /** Times of delivery and response, in milliseconds of a monotonic clock. */
  at: number
  answeredAt: number | null
}

export interface WorkflowBot extends CodeAtUrl {
  /** In the order of delivery. */
  received: ReceivedUpdate[]
  /** The response status; 200 by default. */
  behave(how: (told: ReceivedUpdate) => unknown): void
  of(workflowId: string): ReceivedUpdate[]
}

export async function openWorkflowBot(): Promise<WorkflowBot> {
  const received: ReceivedUpdate[] = []
  let behaviour: Parameters<WorkflowBot['behave']>[0] = () => 200
  const code = await openCodeServer(async ({ operation, body }) => {
    if (operation !== 'event_received') return {}
    const { event } = body
    const isUpdate = event.type === 'workflow_update'
    const one: ReceivedUpdate = {
      id: event.id,
      type: event.type,
      workflowId: event.workflowId,
      update: isUpdate ? event.payload.type : undefined,
      event,
      at: performance.now(),
      answeredAt: null,
    }
    received.push(one)
    const said = await Promise.resolve(behaviour(one)).catch(() => 500)
    const status = typeof said === 'number' ? said : 200
    one.answeredAt = performance.now()
    return { status, ...(status >= 300 && { body: rejectionResponse(status) }) }
  })
  return {
    ...code,
    received,
    behave(how) {
      behaviour = how
    },
    of: (workflowId) => received.filter((one) => one.workflowId === workflowId),
  }
}
