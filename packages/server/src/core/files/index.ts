import type { BlobServices } from '../blobs/index.ts'
import type { Services } from '../http/index.ts'
import { serveContent } from './api/files/content.ts'
import { handlers } from './api/handlers.gen.ts'
import { bindings, type FileHooks } from './services.ts'
import { tables } from './table-rules.ts'
import { failUploads, removeExpiredFiles } from './uploads.ts'

export const filesModule = {
  name: 'files',
  tables,
  bindings,
  handlers,
  routes: serveContent,
  createHooks: (): FileHooks => ({ fileStored: [] }),
  tasks: ({ db, blobs }: Services & BlobServices) => [
    { everyMs: 60_000, run: () => failUploads(db) },
    { everyMs: 60_000, run: () => removeExpiredFiles(db, blobs, new Date()) },
  ],
}
export { documentAccess, fileAccess, findDocument, writing } from './api/files/access.ts'
export { toFile } from './api/files/serializers.ts'
export { announceUpload } from './api/files/uploads.ts'
export { essence, guessContentType, isShowable } from './content-type.ts'
export { contentPath, contentUrl, type Upload } from './content-urls.ts'
export { countFiles, findStoredKeys, indexAgain, searchFilesByName } from './file-search.ts'
export {
  deleteFilesBy,
  type FileOwner,
  type FileRow,
  type FileViewer,
  filePosition,
  findContent,
  findFile,
  listFiles,
  noFile,
  present,
  upsertFile,
  visibleTo,
} from './files.ts'
export {
  claimIndexing,
  claimRenewal,
  endIndexing,
  failJob,
  type IndexingJob,
  markIndexed,
  postponeIndexing,
  releaseIndexing,
} from './indexing-jobs.ts'
export { holdArrivedBlobs, noteArrivingBlob, releaseArrivedBlobs } from './loose-blobs.ts'
export type { FileHooks, FileServices } from './services.ts'
export { matchesTags, parseTagFilter, type TagFilter } from './tag-filter.ts'
export {
  beginUpload,
  createLooseBlob,
  finishUpload,
  releaseBlob,
  removeLooseBlobs,
} from './uploads.ts'
