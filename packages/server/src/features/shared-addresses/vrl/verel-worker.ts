// Runs in a worker thread: executes scripts one after the other. vrl.ts terminates the thread when
// a script takes too long, and after one that broke the interpreter, which then cannot run another.
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { checkTolerantly } from './coalescing.ts'
import type { ScriptReply, ScriptRequest } from './vrl.ts'
import { withMemoryCeiling } from './wasm-memory.ts'

const { memoryPages, outputBytes } = workerData as {
  memoryPages: number
  outputBytes: number
}
declare const WebAssembly: { Module: new (bytes: Uint8Array) => object }
WebAssembly.Module = new Proxy(WebAssembly.Module, {
  construct: (target, [bytes]) => new target(withMemoryCeiling(bytes, memoryPages)),
})
const { check, execute } = createRequire(import.meta.url)(
  '@bpinternal/verel',
) as typeof import('@bpinternal/verel')

function answer({ script, input }: ScriptRequest): ScriptReply {
  try {
    if (input === null) {
      const { errors, warnings } = checkTolerantly(check, script)
      return { output: JSON.stringify({ errors, warnings }) }
    }
    const { event, result } = executeTolerantly(script, JSON.parse(input))
    const output = JSON.stringify({ data: event, result })
    if (output.length > outputBytes)
      return { failed: 'ended', message: `The output exceeds ${outputBytes} characters` }
    return { output }
  } catch (error) {
    const [kind, ...details] = (
      error instanceof Error ? error.message : String(error)
    ).split(';\n')
    const message = details.join(';\n').trim()
    if (kind === 'Compilation Error') return { failed: 'compile', message }
    if (kind === 'Termination') return { failed: 'ended', message }
    return {
      failed: 'broken',
      message: 'The script exceeds the limit of memory or nesting',
    }
  }
}

/** Corrects scripts only if they do not compile, since that takes another compilation. */
function executeTolerantly(script: string, event: unknown): ReturnType<typeof execute> {
  try {
    return execute(script, event)
  } catch (error) {
    if (!String(error).includes('Compilation Error')) throw error
    const { corrected } = checkTolerantly(check, script)
    if (corrected === script) throw error
    return execute(corrected, event)
  }
}

// Compiles lazily loaded parts of the interpreter before the first script.
execute('parse_json(.a) ?? to_string!(.a)', { a: '{"b":1}' })
parentPort!.on('message', (request: ScriptRequest) =>
  parentPort!.postMessage(answer(request)),
)
parentPort!.postMessage({ output: '' } satisfies ScriptReply)
