// The files of a drop or of a choice, with their paths.
import { filesOfDrop } from '../../parts/files/dropped-files.ts'
import type { ImportedFile } from './import.ts'

const maxDropped = 1_000_000
/** Files of systems and tools, and their folders. */
const hidden = /(^|\/)(\.[^/]*|node_modules|Thumbs\.db)(\/|$)/

export const toImported = (files: File[]): ImportedFile[] =>
  files
    .map((file) => ({ file, path: (file.webkitRelativePath || file.name).normalize() }))
    .filter(({ path }) => !hidden.test(path))

/** Reads a drop; it must begin in the event. */
export const readDrop = async (data: DataTransfer): Promise<ImportedFile[]> =>
  toImported(await filesOfDrop(data, maxDropped))
