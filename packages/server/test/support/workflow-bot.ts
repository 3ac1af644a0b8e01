// A bot at a URL that handles workflows: it records its deliveries and runs the test's handler.
import { type CodeAtUrl, openCode, refusal } from './code-at-url.ts'

export interface ToldEvent {
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
  told: ToldEvent[]
  /** The response status; 200 by default. */
  behave(how: (told: ToldEvent) => unknown): void
  of(workflowId: string): ToldEvent[]
}

export async function openWorkflowBot(): Promise<WorkflowBot> {
  const told: ToldEvent[] = []
  let behaviour: Parameters<WorkflowBot['behave']>[0] = () => 200
  const code = await openCode(async ({ operation, body }) => {
    if (operation !== 'event_received') return {}
    const { event } = body
    const isUpdate = event.type === 'workflow_update'
    const one: ToldEvent = {
      ...{
        id: event.id,
        type: event.type,
        workflowId: event.workflowId,
        update: isUpdate ? event.payload.type : undefined,
        event,
      },
      ...{ at: performance.now(), answeredAt: null },
    }
    told.push(one)
    const said = await Promise.resolve(behaviour(one)).catch(() => 500)
    const status = typeof said === 'number' ? said : 200
    one.answeredAt = performance.now()
    return { status, ...(status >= 300 && { body: refusal(status) }) }
  })
  return {
    ...code,
    told,
    behave(how) {
      behaviour = how
    },
    of: (workflowId) => told.filter((one) => one.workflowId === workflowId),
  }
}
