// Runs in a child process and computes embeddings and scores, one batch at a time. The process has
// no network. model-process.ts kills it when a batch takes too long; its guard ends it when it uses
// too much memory or the server has ended.
import { Socket } from 'node:net'
import { startMemoryGuard } from '../../../core/lib/index.ts'
import type { Encoder } from './encoder.ts'
import type { LocalModel } from './model-folder.ts'
import { type ModelMessage, type ModelRequest, memorySignal } from './model-process.ts'

const checkMemory = startMemoryGuard(Number(process.argv[2]), memorySignal)

// Also where namespaces are not available: the libraries must not download anything.
const denied = () => {
  throw new Error('The process of local models has no network')
}
globalThis.fetch = denied
Socket.prototype.connect = denied

const encoders = new Map<string, Encoder>()

async function open(models: LocalModel[]): Promise<ModelMessage> {
  const { openEncoder } = await import('./encoder.ts')
  for (const model of models)
    try {
      encoders.set(model.name, await openEncoder(model))
    } catch (error) {
      return { kind: 'broken', folder: model.folder, reason: (error as Error).message }
    }
  checkMemory()
  return { kind: 'ready' }
}

async function answer(request: ModelRequest): Promise<ModelMessage> {
  if (request.kind === 'open') return open(request.models)
  try {
    const encoder = encoders.get(request.model)!
    if (request.kind === 'embed')
      return { kind: 'embedded', ...(await encoder.embed(request.texts)) }
    return { kind: 'ranked', scores: await encoder.rank(request.question, request.texts) }
  } catch (error) {
    return { kind: 'failed', reason: (error as Error).message }
  }
}

process.on('disconnect', () => process.exit())
process.on('message', async (request: ModelRequest) => process.send!(await answer(request)))
