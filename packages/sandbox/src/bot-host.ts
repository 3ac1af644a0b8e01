// Runs INSIDE the child process and loads the code of a bot or an integration. The server passes
// this file to `node` on stdin, because the child may be unable to read files. So it is bundled with
// those in host/, which import only built-in modules. File descriptor 3 is the socket to the server;
// stdout and stderr belong to the hosted code. This file is not a security boundary: hosted code can
// change everything here, so the server validates all output.
import { StringDecoder } from 'node:string_decoder'
import { compile, evaluate } from './host/code.ts'
import { goThrough } from './host/egress-connections.ts'
import {
  contextUntil,
  findHandler,
  type Handler,
  type ServerlessContext,
} from './host/handler.ts'
import { invocations, type Marks, Stop, stops } from './host/invocations.ts'
import { markCalls, toOrigin } from './host/marked-calls.ts'
import { markLines } from './host/marked-lines.ts'
import {
  forgetting,
  loadAhead,
  measureWithoutProc,
  nameUser,
  offerSignal,
  offerToForget,
} from './host/node-environment.ts'
import { describe, respond } from './host/responses.ts'
import { settings } from './host/settings.ts'
import { listen, send } from './host/socket.ts'
import type { ToHost } from './runner/frames.ts'

/** `deadline`: by this process's clock. */
type Invoke = ToHost & { type: 'invoke' } & { deadline: number }

const causeHeader = 'x-botstead-cause'
const fenceHeader = 'x-botstead-fence'

let handler: Handler = () => undefined

/** Reports the cause before the process exits; the server itself sees only the exit code. */
process.on('uncaughtExceptionMonitor', (error, origin) => {
  if (error !== forgetting)
    send({
      type: 'dying',
      message:
        `${origin === 'unhandledRejection' ? 'unhandled rejection' : 'uncaught'}: ${describe(error)}`.slice(
          0,
          10_000,
        ),
    })
})

function receive(message: ToHost): void {
  if (message.type === 'load') load(message)
  else if (message.type === 'compile')
    send({
      type: 'compiled',
      compiled: compile(takeAttachments(), message.isTuned).toString('base64'),
    })
  else if (message.type === 'cancel') stops.get(message.id)?.controller.abort()
  else begin({ ...message, deadline: performance.now() + message.timeoutMs })
}

function begin(message: Invoke): void {
  if (message.inPieces)
    bodies.set(message.id, { message, texts: [], decoder: new StringDecoder('utf8') })
  else invoke(message)
}

function invoke(message: Invoke): void {
  const { id, deadline } = message
  const stop = new Stop()
  stops.set(id, stop)
  void invocations.run({ id, marks: toMarks(message), stop }, async () => {
    await answer(message, contextUntil(deadline, stop))
    stops.delete(id)
  })
}

interface Arriving {
  message: Invoke
  texts: string[]
  decoder: StringDecoder
}
const bodies = new Map<number, Arriving>()
/** As in frames.ts. */
const attachmentNumber = 0
/** Of the next message: the code and, if known, the compiled code. */
let attachments: Buffer[] = []

function takeAttachments(): Buffer[] {
  const taken = attachments
  attachments = []
  return taken
}

/**
 * Decodes pieces as they arrive, so that bytes and text are never both held in full. An empty piece
 * ends the body.
 */
function receivePiece(id: number, piece: Buffer): void {
  if (id === attachmentNumber) return void attachments.push(piece)
  const arriving = bodies.get(id)
  if (!arriving) return
  const { message, texts, decoder } = arriving
  if (piece.length > 0) return void texts.push(decoder.write(piece))
  bodies.delete(id)
  const body = [...texts.splice(0), decoder.end()].join('')
  invoke({ ...message, request: { ...message.request, body } })
}

function toMarks({ cause, fence, request: { headers } }: Invoke): Marks {
  const { traceparent, tracestate } = headers
  const given: [string, string | null | undefined][] = [
    [causeHeader, cause],
    [fenceHeader, fence],
    ['traceparent', traceparent],
    ['tracestate', tracestate],
  ]
  return given.filter((mark): mark is [string, string] => !!mark[1])
}

function load(message: ToHost & { type: 'load' }): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, message.environment)
  settings.responseBytes = message.responseBytes
  settings.memoryMb = message.memoryMb
  settings.functionName =
    message.environment.AWS_LAMBDA_FUNCTION_NAME ?? settings.functionName
  settings.apiOrigin = toOrigin(message.environment.BP_API_URL)
  if (message.egressSocket) goThrough(message.egressSocket)
  try {
    const found = findHandler(evaluate(takeAttachments(), message.isTuned))
    if (found) handler = found
    send(
      found
        ? { type: 'loaded' }
        : {
            type: 'not-loaded',
            reason: 'no-code',
            message: 'The code exports no function named "handler"',
          },
    )
  } catch (error) {
    send({
      type: 'not-loaded',
      reason: 'crash',
      message: `The code cannot be loaded: ${describe(error)}`,
    })
  }
}

async function answer(
  { id, request }: Invoke,
  context: ServerlessContext,
): Promise<void> {
  const response = await respond(handler, request, context)
  const bytes = Buffer.byteLength(response.body)
  if (bytes <= settings.responseBytes) send({ type: 'answered', id, response })
  else
    send({
      type: 'too-large',
      id,
      message: `The response has ${bytes} bytes; the limit is ${settings.responseBytes}`,
    })
}

nameUser()
markCalls()
markLines()
offerToForget()
measureWithoutProc()
offerSignal()
listen({ receive, receivePiece })
loadAhead()
send({ type: 'ready' })
