// Converts exports of other builders to documents.
import {
  ImportError,
  type ImportFault,
  type ImportReport,
  importBot,
} from '@botstead/flows/imports'

export interface ConvertedBot {
  /** The document as JSON. */
  text: string
  report: ImportReport
  files: Record<string, string>
}

interface ConversionFault {
  fault: ImportFault | 'notBase64'
  message: string
  position?: { line: number; column: number }
}

const isBase64 = (text: string) => text.length % 4 === 0 && !/[^A-Za-z0-9+/=]/.test(text)

/** `content` is Base64. */
export function convertBot({
  fileName,
  content,
}: {
  fileName: string
  content: string
}): ConvertedBot | ConversionFault {
  if (!isBase64(content))
    return {
      fault: 'notBase64',
      message: 'The content is not Base64 without line breaks',
    }
  try {
    const { document, report, files } = importBot(
      fileName,
      Buffer.from(content, 'base64'),
    )
    return { text: `${JSON.stringify(document, null, 2)}\n`, report, files }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const { fault, message, position } = error
    return { fault, message, ...(position && { position }) }
  }
}
