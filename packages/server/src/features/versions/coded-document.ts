// Reads the document back from the code of a bot made of flows, in a thread: any code may begin as such
// code, and a document takes seconds to check.
import { ApiError } from '@botstead/contract'
import { compiledStart, type FlowDocument, type Greeting } from '@botstead/flows'
import { toSharedInSlices } from '@botstead/lib'
import { compute } from '../../core/compute/index.ts'
import { parseJsonInSlices } from '../../core/http/index.ts'

/** As for checks of documents. */
const deadlineMs = 30_000

/**
 * Returns null for code without a document. Throws as Compute, in particular OperationTimeout: without
 * its document, a bot would look like one that its author wrote as code.
 */
export async function findDocument(
  workspaceId: string,
  code: Buffer | null,
): Promise<FlowDocument | null> {
  const lines = code && (await toDocumentLines(code))
  const json =
    lines && (await compute.run(workspaceId, 'findDocument', lines, { deadlineMs }))
  return json
    ? ((await parseJsonInSlices(Buffer.from(json), workspaceId)) as FlowDocument)
    : null
}

/**
 * Returns the paths in the document that name the integration: `flows.main.nodes.start.cards.0.action`.
 * Throws as findDocument.
 */
export async function findReferences(
  workspaceId: string,
  code: Buffer | null,
  alias: string,
): Promise<string[]> {
  const lines = code && (await toDocumentLines(code))
  if (!lines) return []
  return compute.run(
    workspaceId,
    'findReferences',
    { code: lines, alias },
    { deadlineMs },
  )
}

/** For a page that a visitor waits for: a document that takes longer is shown without its greeting. */
const greetingDeadlineMs = 5_000

/** Returns the greetings by language; none for code without a document, and after the deadline. */
export async function readGreetings(
  workspaceId: string,
  code: Buffer | null,
): Promise<Record<string, Greeting>> {
  const lines = code && (await toDocumentLines(code))
  if (!lines) return {}
  return compute
    .run(workspaceId, 'findChatGreetings', lines, { deadlineMs: greetingDeadlineMs })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.type === 'OperationTimeout') return {}
      throw error
    })
}

const start = Buffer.from(compiledStart)

/** Returns the lines up to the document; null if the code does not begin as that of flows. */
async function toDocumentLines(code: Buffer): Promise<Uint8Array | null> {
  if (!code.subarray(0, start.length).equals(start)) return null
  const end = code.indexOf('\n', start.length)
  return toSharedInSlices(end === -1 ? code : code.subarray(0, end + 1))
}
