// Checks a chosen document before its deployment, and finds the lines of its problems.
import { type Client, RequestError } from '@botstead/client'
import { texts } from '../../texts/texts.ts'
import { type DocumentProblem, DocumentRejected } from '../forms/input-error.ts'
import { type BotSource, isYaml } from './bot-files.ts'

const t = texts.bots.files

export interface DocumentCheck {
  /** They prevent the deployment. */
  problems: DocumentProblem[]
  warnings: DocumentProblem[]
  /** Further problems may appear when these are corrected. */
  isPartial: boolean
}

/** A problem as the server reports it. */
interface Found {
  pointer: string
  message: string
  source?: { file: string; line: number; column: number; message: string }
}

/** Returns null for a bundle, which the server tries when it is deployed. */
export async function checkDocument(
  client: Client,
  source: BotSource,
): Promise<DocumentCheck | null> {
  if ('code' in source.content) return null
  const { document } = source.content
  const found = await client.platform.checkBotDocument({ body: { document } })
  return {
    problems: await withPlaces(source, found.problems),
    warnings: await withPlaces(source, found.warnings),
    isPartial: found.isPartial,
  }
}

/** Throws DocumentRejected if the error names problems of the document, and the error otherwise. */
export async function rethrowWithPlaces(
  error: unknown,
  source: BotSource,
): Promise<never> {
  const { problems = [] } = ((error instanceof RequestError && error.metadata) || {}) as {
    problems?: Found[]
  }
  if (problems.length === 0) throw error
  throw new DocumentRejected(
    t.problems(source.file, problems.length),
    await withPlaces(source, problems),
  )
}

/** Finding positions in a longer text would block the page for seconds. */
const maxCharacters = 5_000_000

/** In the order of their lines. Longer texts get no places. */
async function withPlaces(
  { file, content }: BotSource,
  found: Found[],
): Promise<DocumentProblem[]> {
  if (found.length === 0 || 'code' in content || content.text.length > maxCharacters)
    return found.map(({ pointer, message }) => ({ pointer: pointer || '/', message }))
  const { parseText } = await import('@botstead/flows/document-text')
  const { findPosition } = parseText(content.text, isYaml(file) ? 'YAML' : 'JSON')
  return found
    .map((one) => ({ ...one, ...findPosition(one.pointer) }))
    .sort((one, other) => one.line - other.line || one.column - other.column)
    .map(({ pointer, message, source, line, column }) =>
      source
        ? { place: toPlace(source), message: source.message }
        : { place: toPlace({ file, line, column }), pointer: pointer || '/', message },
    )
}

const toPlace = ({
  file,
  line,
  column,
}: {
  file: string
  line: number
  column: number
}) => `${file}:${line}:${column}`
