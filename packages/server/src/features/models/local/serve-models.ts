// The common part of the processes that compute local models, one request at a time. A process has no
// network. model-process.ts kills it when a request takes too long; its guard ends it when it uses too much
// memory or the server has ended.
import { Socket } from 'node:net'
import { getPriority, setPriority } from 'node:os'
import { startMemoryGuard } from '@botstead/lib'
import {
  type Encoder,
  type ModelMessage,
  type ModelRequest,
  memorySignal,
  type ProcessModel,
} from './model-messages.ts'

/** Opens models of one kind. */
type OpenEncoder<Model extends ProcessModel> = (model: Model) => Promise<Encoder>

/** Answers the requests of the server. */
export function serveModels<Model extends ProcessModel>(
  openEncoder: OpenEncoder<Model>,
): void {
  const [maxBytes, niceness] = process.argv.slice(2).map(Number)
  // Here, because the server knows only bubblewrap's process. A process may not get a higher priority.
  setPriority(Math.max(getPriority(), niceness ?? 0))
  const checkMemory = startMemoryGuard(maxBytes!, memorySignal)
  denyNetwork()
  const encoders = new Map<string, Encoder>()

  async function open(models: Model[]): Promise<ModelMessage> {
    for (const model of models)
      try {
        encoders.set(model.name, await openEncoder(model))
      } catch (error) {
        return { kind: 'broken', name: model.name, reason: (error as Error).message }
      }
    checkMemory()
    return { kind: 'ready' }
  }

  const answer = async (request: ModelRequest) =>
    request.kind === 'open'
      ? open(request.models as Model[])
      : compute(encoders.get(request.model)!, request)

  process.on('disconnect', () => process.exit())
  process.on('message', async (request: ModelRequest) =>
    process.send!(await answer(request)),
  )
}

/** Also where namespaces are not available: the libraries must not download anything. */
function denyNetwork(): void {
  const denied = () => {
    throw new Error('The process of local models has no network')
  }
  globalThis.fetch = denied
  Socket.prototype.connect = denied
}

async function compute(
  encoder: Encoder,
  request: Exclude<ModelRequest, { kind: 'open' }>,
): Promise<ModelMessage> {
  try {
    if (request.kind === 'embed')
      return { kind: 'embedded', ...(await encoder.embed(request.texts)) }
    return { kind: 'ranked', scores: await encoder.rank(request.question, request.texts) }
  } catch (error) {
    return { kind: 'failed', reason: (error as Error).message }
  }
}
