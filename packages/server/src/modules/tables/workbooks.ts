// Reads workbooks (XLSX) for imports, one at a time, in the process that reads untrusted files.
import type { Readable } from 'node:stream'
import { ApiError } from '@botstead/contract'
import { ExtractionRejected, openExtraction } from '../../infra/extraction/extraction.ts'
import type { WorkbookRow } from '../../infra/extraction/xlsx.ts'
import { createSemaphore } from '../../infra/lib/semaphore.ts'

export interface Workbooks {
  /** Returns the rows of the first sheet. Throws InvalidDataFormat, LimitExceeded. */
  read(content: Readable, size: number): Promise<WorkbookRow[]>
  close(): Promise<void>
}

const maxBytes = 50 * 1_048_576

export function openWorkbooks(): Workbooks {
  const extraction = openExtraction()
  const turns = createSemaphore(1)
  return {
    async read(content, size) {
      if (size > maxBytes)
        throw new ApiError('LimitExceeded', `A workbook may have at most ${maxBytes} bytes`)
      const turn = turns.acquire()
      await turn.granted
      try {
        return await extraction.readRows(size, content)
      } catch (error) {
        throw error instanceof ExtractionRejected
          ? new ApiError('InvalidDataFormat', error.message)
          : error
      } finally {
        turn.release()
      }
    },
    close: () => extraction.close(),
  }
}
