import type { Services } from '../http/index.ts'
import { serveContent } from './api/files/content.ts'
import { handlers } from './api/handlers.gen.ts'
import { type BlobServices, bindings, type FileHooks } from './services.ts'
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
export { documentAccess, fileAccess } from './api/files/access.ts'
export { toFile } from './api/files/serializers.ts'
export { announceUpload } from './api/files/uploads.ts'
export { BlobNotFound, type Blobs, lockBlobs, unlockBlobs } from './blobs/blobs.ts'
export { openBlobs, openBucket } from './blobs/open.ts'
export { contentPath, contentUrl } from './content-urls.ts'
export { fileSearch } from './file-search.ts'
export { type FileFilter, type FileOwner, fileStore } from './files.ts'
export { type IndexingJob, indexingJobs } from './indexing-jobs.ts'
export { ArrivingBlobs } from './loose-blobs.ts'
export type { BlobServices, FileHooks } from './services.ts'
export { storeFile } from './stored-files.ts'
export { tagFilter } from './tag-filter.ts'
export { removeLooseBlobs } from './uploads.ts'
