// A bot at a URL, in the test's own process, that works on workflows: it outlives every kill of the server, remembers what it was told, and does
// within its handler what the test says.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ToldEvent {
  id: string
  type: string
  workflowId: string | undefined
  /** Of a workflow_update: `workflow_started` and so on. */
  update: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests read from it what they assert
  event: any
  /** Milliseconds of a monotonic clock: when it was told, and when it answered. */
  at: number
  answeredAt: number | null
}

export interface WorkflowBot {
  url: string
  /** In the order in which it was told. */
  told: ToldEvent[]
  /** The status with which it answers; 200 when nothing is said. */
  behave(how: (told: ToldEvent) => unknown): void
  of(workflowId: string): ToldEvent[]
  close(): Promise<void>
}

export async function openWorkflowBot(): Promise<WorkflowBot> {
  const told: ToldEvent[] = []
  let behaviour: Parameters<WorkflowBot['behave']>[0] = () => 200
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    if (request.headers['x-bp-operation'] !== 'event_received') return void response.end('{}')
    const { event } = JSON.parse(text)
    const isUpdate = event.type === 'workflow_update'
    const one: ToldEvent = {
      ...{ id: event.id, type: event.type, workflowId: event.workflowId, update: isUpdate ? event.payload.type : undefined, event },
      ...{ at: performance.now(), answeredAt: null },
    }
    told.push(one)
    const said = await Promise.resolve(behaviour(one)).catch(() => 500)
    const status = typeof said === 'number' ? said : 200
    one.answeredAt = performance.now()
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(status < 300 ? '{}' : JSON.stringify({ id: 'err_x', code: status, type: 'Runtime', message: `status ${status}` }))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told,
    behave(how) {
      behaviour = how
    },
    of: (workflowId) => told.filter((one) => one.workflowId === workflowId),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
