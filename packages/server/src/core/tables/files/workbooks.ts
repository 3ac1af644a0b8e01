// Reads workbooks (XLSX, ODS) for imports and previews, in the processes that read untrusted files. The
// rows wait in a temporary file, so that a slow import does not occupy a process. Turns are shared
// between tenants: one of many large workbooks occupies one process at most.
import type { Readable } from 'node:stream'
import { ApiError } from '@botstead/contract'
import {
  type Extraction,
  ExtractionRejected,
  openExtraction,
  type TableEnd,
  type TableLimit,
  type WorkbookRow,
} from '@botstead/extraction'
import { FairTurns } from '@botstead/lib'
import { openSpool, type Spool } from '../streams.ts'

interface WorkbookFile {
  content: Readable
  /** In bytes. */
  size: number
  /** Id of the workspace that takes the turn. */
  tenant: string
}

export interface WorkbookTable extends TableEnd {
  rows(): AsyncGenerator<WorkbookRow>
  close(): Promise<void>
}

export interface Workbooks {
  /**
   * Reads the rows of the first visible sheet with any; for a preview its first ones. The caller closes
   * the table. Throws InvalidDataFormat, LimitExceeded.
   */
  read(file: WorkbookFile, purpose: 'import' | 'preview'): Promise<WorkbookTable>
  close(): Promise<void>
}

const maxBytes = 50 * 1_048_576
const limits = {
  import: { maxCharacters: 64 * 1_048_576, cuts: false },
  preview: { maxCharacters: 1_048_576, cuts: true },
}
const previewTimeoutMs = 30_000

export function openWorkbooks(): Workbooks {
  const readers = {
    import: openReaders([openExtraction(), openExtraction()]),
    preview: openReaders([
      openExtraction({ timeoutMs: previewTimeoutMs }),
      openExtraction({ timeoutMs: previewTimeoutMs }),
    ]),
  }
  return {
    async read(file, purpose) {
      if (file.size > maxBytes)
        throw new ApiError(
          'LimitExceeded',
          `A workbook may have at most ${maxBytes} bytes`,
        )
      return readers[purpose].use(file.tenant, (extraction) =>
        readTable(extraction, file, limits[purpose]),
      )
    },
    async close() {
      await Promise.all(Object.values(readers).map((one) => one.close()))
    },
  }
}

function openReaders(idle: Extraction[]) {
  const all = [...idle]
  const turns = new FairTurns({ capacity: all.length, maxPerKey: 1 })
  return {
    async use<T>(
      tenant: string,
      work: (extraction: Extraction) => Promise<T>,
    ): Promise<T> {
      const turn = turns.take(tenant)
      await turn.admitted
      const extraction = idle.pop()!
      try {
        return await work(extraction)
      } finally {
        idle.push(extraction)
        turn.leave()
      }
    },
    close: () => Promise.all(all.map((extraction) => extraction.close())),
  }
}

async function readTable(
  extraction: Extraction,
  file: WorkbookFile,
  limit: TableLimit,
): Promise<WorkbookTable> {
  const spool = await openSpool()
  let written: Promise<unknown> = Promise.resolve()
  try {
    const end = await extraction.readRows(file, limit, (lines) => {
      written = written.then(() => spool.write(lines))
      // its error surfaces below
      written.catch(() => {})
    })
    await written
    return { ...end, rows: () => spooledRows(spool), close: () => spool.close() }
  } catch (error) {
    await written.catch(() => {})
    await spool.close()
    throw error instanceof ExtractionRejected
      ? new ApiError('InvalidDataFormat', error.message)
      : error
  }
}

async function* spooledRows(spool: Spool): AsyncGenerator<WorkbookRow> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of spool.read() as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line)
  }
}
