// Converts exports of other builders to documents. Pure: bytes in, a document and a report out. Evaluates
// nothing of the export.

import { importAgentsSdk } from './agents-sdk/agents-sdk.ts'
import { isAgentsSdk } from './agents-sdk/program.ts'
import { readArchive } from './archive.ts'
import type { Assembly } from './assembly.ts'
import { importBotpress } from './botpress/botpress.ts'
import { isBotpress } from './botpress/source.ts'
import { importDify, isDify } from './dify/dify.ts'
import { importFlowise, isFlowise } from './flowise/flowise.ts'
import { ImportError } from './import-error.ts'
import { isObject, type Json, parseExport } from './reading.ts'
import { isOldestTypebot, isTypebot } from './typebot/source.ts'
import { importTypebot } from './typebot/typebot.ts'
import { isVoiceflow } from './voiceflow/source.ts'
import { importVoiceflow } from './voiceflow/voiceflow.ts'

export interface ImportedBot extends ReturnType<Assembly['finish']> {}

/** Of a file. */
export const maxImportBytes = 10_000_000

interface Format {
  accepts: (value: unknown) => boolean
  convert: (value: Json, fileName: string) => Assembly
}

const formats: Format[] = [
  { accepts: isDify, convert: importDify },
  { accepts: isVoiceflow, convert: importVoiceflow },
  {
    accepts: (value) => isTypebot(value) || isOldestTypebot(value),
    convert: importTypebot,
  },
  { accepts: isFlowise, convert: importFlowise },
]

/**
 * Recognizes the builder by the content. Throws ImportError for a file that no importer reads, that is too
 * large, or that has no bot. The document has no problems of checkDocument.
 */
export function importBot(fileName: string, bytes: Uint8Array): ImportedBot {
  if (bytes.length > maxImportBytes)
    throw new ImportError(
      'tooLarge',
      `The file has more than ${maxImportBytes} bytes. Export a smaller bot`,
    )
  if (bytes.length === 0)
    throw new ImportError('emptyFile', 'The file is empty. Export the bot again')
  try {
    return convert(fileName, bytes).finish()
  } catch (error) {
    if (error instanceof RangeError)
      throw new ImportError(
        'tooLarge',
        'The bot is too complex to convert. Export a part of it',
      )
    throw error
  }
}

function convert(fileName: string, bytes: Uint8Array): Assembly {
  const name = withoutExtension(fileName)
  const archive = readArchive(bytes)
  if (archive) {
    if (isBotpress(archive)) return importBotpress(archive, name)
    throw unknownFormat()
  }
  const text = toText(bytes)
  if (!isJson(text) && isAgentsSdk(text)) return importAgentsSdk(text, name)
  const value = parseText(fileName, text)
  if (isObject(value) && (value.kind === 'bot' || value.kind === 'integration'))
    throw new ImportError(
      'ownDocument',
      'The file is a bot of Botstead already. Deploy it, or create a bot from its files',
    )
  for (const { accepts, convert } of formats)
    if (accepts(value)) return convert(value as Json, name)
  throw unknownFormat()
}

const withoutExtension = (fileName: string) =>
  fileName.replace(/^.*[/\\]/, '').replace(/\.[A-Za-z0-9]{1,5}$/, '')

const isJson = (text: string) => /^\s*[{[]/.test(text)

function parseText(fileName: string, text: string): unknown {
  if (isJson(text)) return parseExport(text, 'JSON')
  if (
    /\.ya?ml$/i.test(fileName) ||
    /^(?:\s*#.*\n)*(?:app|kind|version|workflow):/m.test(text.slice(0, 10_000))
  ) {
    const value = parseExport(text, 'YAML')
    if (isObject(value)) return value
  }
  throw unknownFormat()
}

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unknownFormat()
  }
}

const unknownFormat = () =>
  new ImportError(
    'unknownFormat',
    'The file is no export that can be imported. Choose one of Typebot (.json), Dify (.yml), Flowise ' +
      '(.json), Voiceflow (.vf), Botpress 12 (.bpa, .tgz, .zip) or the Agent Builder of OpenAI (.ts, .py)',
  )
